/**
 * The search: breadth first over complete positions, each met once, so that the first violation
 * found is one of the shortest. A position is the adversary's word, 16 bits a process and a word
 * for each snapshot; positions are compared exactly.
 */
import { Board, type Visitor } from './board.js';
import { type Complaint, complaint } from './complaint.js';
import { checkRest } from './goal.js';
import { checkLaws, type Laws } from './laws.js';
import { TableFull } from './local-table.js';
import { PairLookup } from './lookup.js';
import type { Move } from './move.js';
import { checkPair } from './pair-check.js';
import type { Plan } from './plan.js';
import type { RulesUnderTest } from './rules-under-test.js';
import { turn } from './turn.js';
import { Visited } from './visited.js';
import { World } from './world.js';

export interface Found {
  readonly what: Complaint;
  /** The position after which it happened. */
  readonly at: number;
  /** The move that did it, or null if the position itself is wrong. */
  readonly move: { readonly move: Move; readonly a: number; readonly b: number } | null;
}

export type Ending = 'COMPLETE' | 'TRUNCATED' | 'VIOLATION';

export interface Counts {
  states: number;
  transitions: number;
  depth: number;
  fires: number;
  /** Positions of rest, and those of them in which nobody runs. */
  rests: number;
  lost: number;
}

export class Search implements Visitor {
  readonly world: World;
  readonly board: Board;
  readonly visited: Visited;
  readonly counts: Counts = { states: 0, transitions: 0, depth: 0, fires: 0, rests: 0, lost: 0 };
  found: Found | null = null;
  laws: Laws | null = null;
  readonly #key: Uint32Array;
  readonly #pairs: readonly PairLookup[];
  readonly #complaints: Complaint[] = [];
  #at = -1;
  #guest: Visitor | null = null;

  constructor(plan: Plan, under: RulesUnderTest, wanted: string | null = null) {
    this.world = new World(plan, under, wanted);
    this.board = new Board(this.world, this);
    const words = 1 + Math.ceil(this.board.size / 2) + plan.pool;
    this.visited = new Visited(words);
    this.#key = new Uint32Array(words);
    const { size } = this.board;
    this.#pairs = Array.from({ length: size * size }, (_, at) => {
      const [a, b] = [Math.floor(at / size), at % size];
      return new PairLookup((x, y) => this.#checkPair(a, x, b, y));
    });
  }

  /**
   * Runs to the end, to the plan's limit, or to the first violation; `onStep` is told now and then.
   */
  run(onStep: (counts: Counts) => void = () => undefined): Ending {
    const { counts, visited, board } = this;
    board.ready();
    this.#enter();
    let levelEnd = visited.size;
    try {
      for (let at = 0; at < visited.size && this.found === null; at += 1) {
        if (at === levelEnd) {
          counts.depth += 1;
          levelEnd = visited.size;
        }
        if ((at & 0xffff) === 0xffff) onStep(this.#count());
        this.#expand(at);
        if (visited.size >= this.world.plan.maxStates) {
          this.#count();
          return this.found ? 'VIOLATION' : 'TRUNCATED';
        }
      }
    } catch (error) {
      if (!(error instanceof TableFull)) throw error;
      this.#count();
      return 'TRUNCATED';
    }
    this.#count();
    if (this.found === null && this.world.plan.laws) this.#checkLaws();
    return this.found === null ? 'COMPLETE' : 'VIOLATION';
  }

  /** Shows all moves from the position on the board to somebody else. */
  lookAround(visitor: Visitor): void {
    this.#guest = visitor;
    turn(this.board);
    this.#guest = null;
  }

  visit(move: Move, a: number, b: number): void {
    if (this.#guest !== null) return this.#guest.visit(move, a, b);
    this.counts.transitions += 1;
    if (this.#enter() && this.found === null) this.#checkNew(move, a, b);
  }

  fail(move: Move, a: number, b: number, what: Complaint): void {
    if (this.#guest !== null) return this.#guest.fail(move, a, b, what);
    if (this.world.asksFor(what)) this.found ??= { what, at: this.#at, move: { move, a, b } };
  }

  /** Puts a position back on the board. */
  recall(index: number): void {
    const key = this.#key;
    this.visited.read(index, key);
    const { from, size } = this.board;
    from[0] = key[0] as number;
    for (let process = 0; process < size; process += 1) {
      const word = key[1 + (process >> 1)] as number;
      from[1 + process] = process & 1 ? word >>> 16 : word & 0xffff;
    }
    const firstWord = 1 + Math.ceil(size / 2);
    for (let at = 0; at < this.world.plan.pool; at += 1) {
      from[1 + size + at] = (key[firstWord + at] as number) | 0;
    }
    this.board.ready();
  }

  #expand(at: number): void {
    this.#at = at;
    this.recall(at);
    const rest = turn(this.board);
    const { live } = this.world.plan;
    if (live === null || this.found !== null || rest === 'moving') return;
    if (rest === 'waiting') {
      if (!live.timeouts) this.#failHere(complaint('LIVENESS', 'a time-out was needed'));
      return;
    }
    const { wrong, survivors } = checkRest(this.board);
    this.counts.rests += 1;
    if (survivors === 0) this.counts.lost += 1;
    if (wrong) this.#failHere(wrong);
  }

  #failHere(what: Complaint): void {
    if (this.world.asksFor(what)) this.found ??= { what, at: this.#at, move: null };
  }

  #count(): Counts {
    this.counts.states = this.visited.size;
    this.counts.fires = this.board.fires;
    return this.counts;
  }

  /** Adds `board.to`; true if nobody was there before. */
  #enter(): boolean {
    const { to, size } = this.board;
    const key = this.#key;
    key[0] = to[0] as number;
    let word = 1;
    for (let process = 1; process <= size; process += 2, word += 1) {
      const high = process < size ? (to[process + 1] as number) : 0;
      key[word] = (to[process] as number) | (high << 16);
    }
    for (let at = 1 + size; at < to.length; at += 1, word += 1) key[word] = to[at] as number;
    return this.visited.add(key, this.#at) >= 0;
  }

  /** Only what has changed can be newly wrong: the position before was fine. */
  #checkNew(move: Move, a: number, b: number): void {
    const { to, from, size } = this.board;
    for (let process = 0; process < size; process += 1) {
      const id = to[1 + process] as number;
      if (id === from[1 + process]) continue;
      const { wrong } = this.world.table(process).get(id);
      if (wrong !== null && this.world.asksFor(wrong)) return this.fail(move, a, b, wrong);
      for (let other = 0; other < size; other += 1) {
        if (other === process) continue;
        const found = this.#pairOf(process, id, other, to[1 + other] as number);
        if (found >= 0) return this.fail(move, a, b, this.#complaints[found] as Complaint);
      }
    }
  }

  #pairOf(a: number, x: number, b: number, y: number): number {
    const size = this.board.size;
    if (a < b) return (this.#pairs[a * size + b] as PairLookup).at(x, y);
    return (this.#pairs[b * size + a] as PairLookup).at(y, x);
  }

  #checkPair(a: number, x: number, b: number, y: number): number {
    const found = checkPair(this.world, this.world.table(a).get(x), this.world.table(b).get(y));
    if (found === null) return -1;
    this.#complaints.push(found);
    return this.#complaints.length - 1;
  }

  #checkLaws(): void {
    this.laws = checkLaws(this.world);
    if (this.laws.wrong) this.#failHere(this.laws.wrong);
  }
}
