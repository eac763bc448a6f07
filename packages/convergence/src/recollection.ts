/**
 * What was worked out about one state under one set of rules, so that it is worked out once. The
 * rules are told apart by identity: a node makes its rules once and passes the same object always.
 */
export class Recollection {
  #topics: Map<string, WeakMap<object, unknown>> | null = null;

  recall<T>(topic: string, rules: object, make: () => T): T {
    this.#topics ??= new Map();
    let known = this.#topics.get(topic);
    if (known === undefined) {
      known = new WeakMap();
      this.#topics.set(topic, known);
    }
    if (!known.has(rules)) known.set(rules, make());
    return known.get(rules) as T;
  }
}
