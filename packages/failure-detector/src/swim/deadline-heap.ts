/**
 * Deadlines by member, earliest first: a binary heap that knows where each member stands, so that a
 * deadline moves or goes in O(log n), nothing stale is left behind, and nothing is allocated.
 */

export class DeadlineHeap {
  readonly #members: number[] = [];
  readonly #atMs: number[] = [];
  /** Where a member stands, by member; -1 or nothing if it does not. */
  readonly #places: number[] = [];

  get size(): number {
    return this.#members.length;
  }

  /** The earliest deadline; Infinity if there is none. */
  get firstAtMs(): number {
    return this.#members.length === 0 ? Number.POSITIVE_INFINITY : (this.#atMs[0] as number);
  }

  /** Whose it is; undefined if there is none. */
  get first(): number | undefined {
    return this.#members[0];
  }

  /** Gives a member a deadline, or another one. */
  set(member: number, atMs: number): void {
    while (this.#places.length <= member) this.#places.push(-1);
    const place = this.#places[member] as number;
    if (place < 0) {
      this.#members.push(member);
      this.#atMs.push(atMs);
      this.#up(this.#members.length - 1, member, atMs);
    } else if (atMs < (this.#atMs[place] as number)) {
      this.#up(place, member, atMs);
    } else {
      this.#down(place, member, atMs);
    }
  }

  delete(member: number): void {
    const place = this.#places[member] ?? -1;
    if (place < 0) return;
    this.#places[member] = -1;
    const last = this.#members.pop() as number;
    const atMs = this.#atMs.pop() as number;
    if (last === member) return;
    // What comes from the end may belong above as well as below.
    this.#up(place, last, atMs);
    this.#down(this.#places[last] as number, last, atMs);
  }

  /** Gives every member its deadline anew. */
  resetAll(deadlineMs: (member: number) => number): void {
    for (let place = 0; place < this.#members.length; place++) {
      this.#atMs[place] = deadlineMs(this.#members[place] as number);
    }
    for (let place = (this.#members.length >> 1) - 1; place >= 0; place--) {
      this.#down(place, this.#members[place] as number, this.#atMs[place] as number);
    }
  }

  #up(from: number, member: number, atMs: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if ((this.#atMs[parent] as number) <= atMs) break;
      this.#put(place, this.#members[parent] as number, this.#atMs[parent] as number);
      place = parent;
    }
    this.#put(place, member, atMs);
  }

  #down(from: number, member: number, atMs: number): void {
    const length = this.#members.length;
    let place = from;
    for (let child = 2 * place + 1; child < length; child = 2 * place + 1) {
      const right = child + 1;
      if (right < length && (this.#atMs[right] as number) < (this.#atMs[child] as number)) {
        child = right;
      }
      if ((this.#atMs[child] as number) >= atMs) break;
      this.#put(place, this.#members[child] as number, this.#atMs[child] as number);
      place = child;
    }
    this.#put(place, member, atMs);
  }

  #put(place: number, member: number, atMs: number): void {
    this.#members[place] = member;
    this.#atMs[place] = atMs;
    this.#places[member] = place;
  }
}
