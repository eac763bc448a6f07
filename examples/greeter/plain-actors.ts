/** An adapter for classes: a message is a method's name and its arguments, taken one after the other. */
import type { ActorSystemBridge, LocalActor } from '@rollcall/routing';

/** A class whose methods can be called from other nodes. */
export abstract class PlainActor {
  readonly #stopped = new Set<() => void>();

  stop(): void {
    for (const stopped of this.#stopped) stopped();
  }

  watch(stopped: () => void): () => void {
    this.#stopped.add(stopped);
    return () => this.#stopped.delete(stopped);
  }
}

export class PlainActors implements ActorSystemBridge {
  readonly #actors = new Map<string, PlainActor>();

  start<T extends PlainActor>(path: string, actor: T): T {
    this.#actors.set(path, actor);
    actor.watch(() => this.#actors.delete(path));
    return actor;
  }

  resolve(path: string): LocalActor | undefined {
    const actor = this.#actors.get(path);
    if (actor === undefined) return undefined;
    return {
      deliver: (message) => call(actor, message),
      watch: (stopped) => actor.watch(stopped),
    };
  }
}

/** Methods of the class itself and no others: a message comes from elsewhere and may name anything. */
function call(actor: PlainActor, message: unknown): unknown {
  const [method, ...args] = Array.isArray(message) ? (message as unknown[]) : [message];
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(actor), String(method))?.value;
  if (typeof own !== 'function' || method === 'constructor')
    throw new TypeError(`${actor.constructor.name} has no method ${String(method)}`);
  return own.apply(actor, args);
}
