/**
 * The position that is being looked at, and the one that a move makes of it. Moves are tried in
 * place: a step changes a few numbers, shows the result to whoever explores, and puts them back.
 */
import { sideOf } from './budget.js';
import { type Complaint, complaint } from './complaint.js';
import { Conduct } from './conduct.js';
import { Deliveries } from './deliveries.js';
import { PairLookup } from './lookup.js';
import type { Move } from './move.js';
import { checkFire } from './pair-check.js';
import { Settling } from './settling.js';
import type { World } from './world.js';

export interface Visitor {
  /** `board.to` is a position that this move leads to. */
  visit(move: Move, a: number, b: number): void;
  /** The move itself breaks something, whatever it leads to. */
  fail(move: Move, a: number, b: number, what: Complaint): void;
}

export class Board {
  readonly world: World;
  readonly size: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly deliveries: Deliveries;
  readonly conduct: Conduct;
  readonly settling: Settling;
  /** Moves made since the position was set. */
  moves = 0;
  fires = 0;
  readonly #visitor: Visitor;
  readonly #reachable: Int32Array;
  readonly #fireChecks: readonly PairLookup[];
  readonly #complaints: Complaint[] = [];

  constructor(world: World, visitor: Visitor) {
    this.world = world;
    this.size = world.cast.size;
    this.#visitor = visitor;
    this.from = world.start();
    this.to = this.from.slice();
    this.deliveries = new Deliveries(world);
    this.conduct = new Conduct(world);
    this.settling = new Settling(world);
    this.#reachable = new Int32Array(this.size << 6);
    for (let side = 0; side < 64; side += 1) {
      for (let process = 0; process < this.size; process += 1) {
        this.#reachable[side * this.size + process] = world.cast.reachableFrom(process, side);
      }
    }
    this.#fireChecks = Array.from({ length: this.size * this.size }, (_, at) => {
      const [a, b] = [Math.floor(at / this.size), at % this.size];
      return new PairLookup((x, y) => this.#checkFire(a, x, b, y));
    });
  }

  /** Call after `from` was changed. */
  ready(): void {
    this.to.set(this.from);
    this.moves = 0;
  }

  get env(): number {
    return this.from[0] as number;
  }

  id(process: number): number {
    return this.from[1 + process] as number;
  }

  /** Whom a process can reach in the partition there is. */
  reachable(process: number): number {
    return this.#reachable[sideOf(this.env) * this.size + process] as number;
  }

  isRunning(process: number): boolean {
    return this.world.table(process).running[this.id(process)] === 1;
  }

  isVoting(process: number): boolean {
    return this.world.table(process).voting[this.id(process)] === 1;
  }

  /** A process takes its next value, and whatever follows in the same breath. */
  step(move: Move, a: number, b: number, process: number, id: number, env = this.env): void {
    if (id < 0) return;
    this.to[1 + process] = this.#settle(move, a, b, process, id);
    this.to[0] = env;
    this.#show(move, a, b);
    this.to[1 + process] = this.from[1 + process] as number;
    this.to[0] = this.env;
  }

  /** The same for a step that uses up another process's token. */
  stepWith(
    move: Move,
    a: number,
    b: number,
    process: number,
    id: number,
    bearer: number,
    used: number,
  ): void {
    if (id < 0) return;
    this.to[1 + bearer] = used < 0 ? this.id(bearer) : used;
    this.step(move, a, b, process, id);
    this.to[1 + bearer] = this.id(bearer);
  }

  /** The adversary changes what it has. */
  change(move: Move, a: number, env: number): void {
    this.to[0] = env;
    this.#show(move, a, -1);
    this.to[0] = this.env;
  }

  /** A snapshot goes into the pool, which is kept in order: which place it has is of no meaning. */
  keep(process: number, snapshot: number): void {
    const first = 1 + this.size;
    let at = first;
    while (at < this.to.length && this.to[at] !== -1) {
      if (this.to[at] === snapshot) return;
      at += 1;
    }
    if (at === this.to.length) return;
    while (at > first && (this.to[at - 1] as number) > snapshot) {
      this.to[at] = this.to[at - 1] as number;
      at -= 1;
    }
    this.to[at] = snapshot;
    this.#show('keep', process, -1);
    this.to.set(this.from);
  }

  /** Fires are counted, and everybody is asked whether it has seen what is fired (I5). */
  checkFires(move: Move, a: number, b: number, process: number, id: number): void {
    this.fires += 1;
    for (let other = 0; other < this.size; other += 1) {
      if (other === process) continue;
      const checks = this.#fireChecks[process * this.size + other] as PairLookup;
      const found = checks.at(id, this.id(other));
      if (found >= 0) this.fail(move, a, b, this.#complaints[found] as Complaint);
    }
  }

  fail(move: Move, a: number, b: number, what: Complaint): void {
    this.#visitor.fail(move, a, b, what);
  }

  #settle(move: Move, a: number, b: number, process: number, id: number): number {
    const after = this.settling.after(process, id);
    const firedAt = this.settling.firedAt(process, id);
    for (const at of firedAt) this.checkFires(move, a, b, process, at);
    return after;
  }

  #show(move: Move, a: number, b: number): void {
    this.moves += 1;
    this.#visitor.visit(move, a, b);
  }

  #checkFire(a: number, x: number, b: number, y: number): number {
    const local = this.world.table(a).get(x);
    let found: Complaint | null;
    try {
      found = checkFire(this.world, local, this.world.table(b).get(y), b);
    } catch (error) {
      found = complaint('assertion', error instanceof Error ? error.message : String(error));
    }
    if (found === null) return -1;
    this.#complaints.push(found);
    return this.#complaints.length - 1;
  }
}
