/**
 * What follows from a change in the same breath (PROTOCOL "Convergence", S1): a process that finds
 * itself absent or Down stops; under `atomic` it also fires until nothing is left to do, as
 * `settle` ships. Under `delayed` a fire is a step of its own, to be taken at any time or never,
 * which is the wider adversary: whatever a settled cluster does, one that fires at the right
 * moments does too.
 */
import { change, type State } from '@rollcall/convergence';
import { complaint } from './complaint.js';
import { goneFrom, type Local, withReplica } from './local.js';
import { Lookup, NONE } from './lookup.js';
import { stepTo } from './step.js';
import { checkPromotion } from './step-check.js';
import type { World } from './world.js';

const nobody: readonly number[] = Object.freeze([]);

export class Settling {
  readonly #world: World;
  readonly #after: readonly Lookup[];
  readonly #fires: readonly Lookup[];
  /** Per process and value before settling: the values at which it fired. */
  readonly #firedAt: readonly Map<number, readonly number[]>[];

  constructor(world: World) {
    this.#world = world;
    const { keys } = world.cast;
    this.#after = keys.map((_, process) => new Lookup((id) => this.#settle(process, id)));
    this.#fires = keys.map((_, process) => new Lookup((id) => this.#fire(process, id)));
    this.#firedAt = keys.map(() => new Map());
  }

  /** The value a process comes to rest at. */
  after(process: number, id: number): number {
    return (this.#after[process] as Lookup).at(id);
  }

  /** The values at which it fired on the way there; to be asked after `after`. */
  firedAt(process: number, id: number): readonly number[] {
    const known = this.#firedAt[process] as Map<number, readonly number[]>;
    return known.size === 0 ? nobody : (known.get(id) ?? nobody);
  }

  /** One fire, if this process observes convergence; `NONE` otherwise. */
  fire(process: number, id: number): number {
    return (this.#fires[process] as Lookup).at(id);
  }

  #settle(process: number, id: number): number {
    const { under, rules, plan } = this.#world;
    const local = this.#world.table(process).get(id);
    const { replica } = local;
    if (replica === null || local.stage === 'exited' || local.wrong !== null) return id;
    if (plan.firing === 'delayed') {
      const status = replica.state.get(replica.self)?.status;
      if (status !== undefined && status !== 'Down') return id;
      return this.#orSame(process, id, (before) => goneFrom(before, false));
    }
    const { fired } = under.settle(replica, rules);
    const firedAt: number[] = [];
    let at = id;
    for (const state of fired) {
      firedAt.push(at);
      at = this.#orSame(process, at, (before) => this.#fired(before, state));
    }
    if (firedAt.length > 0) this.#firedAt[process]?.set(id, firedAt);
    const last = this.#world.table(process).get(at).replica;
    if (last === null || last.state.has(last.self) === false || isDown(last.state, last.self)) {
      return this.#orSame(process, at, (before) => goneFrom(before, false));
    }
    return at;
  }

  #fire(process: number, id: number): number {
    const { under, rules } = this.#world;
    return stepTo(this.#world, process, id, (local) => {
      const { replica, stage } = local;
      if (replica === null || stage !== 'member') return null;
      if (replica.state.electorateIndex(replica.self) < 0) return null;
      const { state, seen } = replica;
      const next = under.converged(state, seen, rules) ? under.f(state, rules, seen) : null;
      const settled = under.settle(replica, rules).fired[0];
      if (settled?.digest !== next?.digest) {
        const wrong = complaint('assertion', 'settle fires something else than f says');
        return { ...local, wrong };
      }
      return next === null ? null : this.#fired(local, next);
    });
  }

  /** The value after a fire: whoever is no longer there was removed by it. */
  #fired(local: Local, next: State): Local {
    const { replica } = local;
    if (replica === null) return local;
    const { cast } = this.#world;
    const gone = replica.state.members.filter(({ key }) => !next.has(key)).map(({ key }) => key);
    const after = withReplica(local, change(replica, next), cast.maskOfKeys(gone));
    const wrong = checkPromotion(replica.state, next);
    return wrong === null ? after : { ...after, wrong };
  }

  #orSame(process: number, id: number, make: (local: Local) => Local): number {
    const next = stepTo(this.#world, process, id, make);
    return next === NONE ? id : next;
  }
}

const isDown = (state: State, key: string): boolean => state.get(key)?.status === 'Down';
