/** A SWIM node with the names that its numbers stand for. */
import type { NodeKey } from '@rollcall/convergence';
import { Swim, type SwimMemberId, type SwimOptions } from '@rollcall/failure-detector';
import type { Message } from './message.js';

type SwimSaid = Extract<Message, { kind: 'swim' }>;

/** A number that was given up is not given to another while packets that mean the first may be under way. */
const NUMBERS_RESTING = 64;

export class SwimWatch {
  readonly swim: Swim;
  /** What the numbers were drawn from. */
  members: readonly NodeKey[] = [];
  readonly waiting = new Map<NodeKey, SwimSaid[]>();
  readonly #ids = new Map<NodeKey, SwimMemberId>();
  readonly #keys: (NodeKey | undefined)[] = [];
  readonly #resting: SwimMemberId[] = [];

  constructor(self: NodeKey, options: SwimOptions, chance: { next(): number }, nowMs: number) {
    this.swim = new Swim({ self: this.enter(self), options, chance, nowMs });
  }

  idOf(key: NodeKey): SwimMemberId | undefined {
    return this.#ids.get(key);
  }

  keyOf(id: SwimMemberId): NodeKey | undefined {
    return this.#keys[id];
  }

  enter(key: NodeKey): SwimMemberId {
    const isRested = this.#resting.length > NUMBERS_RESTING;
    const id = (isRested ? this.#resting.shift() : undefined) ?? this.#keys.length;
    this.#ids.set(key, id);
    this.#keys[id] = key;
    return id;
  }

  leave(key: NodeKey): SwimMemberId | undefined {
    const id = this.#ids.get(key);
    if (id === undefined) return undefined;
    this.#ids.delete(key);
    this.#keys[id] = undefined;
    this.#resting.push(id);
    this.waiting.delete(key);
    return id;
  }
}
