/**
 * What a process does on its own: marks, leaves, exits, watches and decides. Each answer is worked
 * out by the rules once for every value.
 */
import type { NodeKey, Replica, Row } from '@rollcall/convergence';
import { goneFrom, type Local, OFF, withReplica } from './local.js';
import { Lookup } from './lookup.js';
import { changeBy, stepTo, vanish } from './step.js';
import type { World } from './world.js';

type Make = (local: Local) => Local | null;

export class Conduct {
  readonly #world: World;
  readonly #size: number;
  readonly down: (process: number, id: number, subject: number) => number;
  readonly leave: (process: number, id: number, subject: number) => number;
  readonly accuse: (process: number, id: number, subject: number) => number;
  readonly clear: (process: number, id: number, subject: number) => number;
  /** A request to join has come: what the acceptor does before it answers. */
  readonly asked: (process: number, id: number, newcomer: number) => number;
  readonly quit: (process: number, id: number) => number;
  /** Its shutdown tasks are done. */
  readonly exit: (process: number, id: number) => number;
  readonly decide: (process: number, id: number) => number;
  readonly weaklyUp: (process: number, id: number) => number;
  /** What it says about being cut off is brought in line with what it reaches. */
  readonly flagFate: (process: number, id: number) => number;
  readonly unwell: (process: number, id: number) => number;
  readonly well: (process: number, id: number) => number;
  readonly cutOff: (process: number, id: number) => number;
  readonly vanish: (process: number, id: number) => number;
  /** Tries again under a uid nobody knows, which is as good as not having started. */
  readonly startOver: (process: number, id: number) => number;
  /** Its acceptor has taken its introduction. */
  readonly letIn: (process: number, id: number) => number;
  /** 1 if an acceptor would still take the introduction of this newcomer, 0 otherwise. */
  readonly admits: (process: number, id: number, newcomer: number) => number;
  /** 1 if it reaches no quorum, 0 otherwise. */
  readonly lost: (process: number, id: number) => number;

  constructor(world: World) {
    this.#world = world;
    this.#size = world.cast.size;
    const { under, rules, cast } = world;
    const key = (index: number): NodeKey => cast.keys[index] ?? '';
    this.down = this.#onto((subject) => changeBy((r) => under.markDown(r, key(subject))));
    this.leave = this.#onto((subject) => changeBy((r) => under.beginLeave(r, key(subject))));
    this.accuse = this.#onto((subject) => this.#name(subject, true));
    this.clear = this.#onto((subject) => this.#name(subject, false));
    this.asked = this.#onto((newcomer) => changeBy((r) => under.asked(r, key(newcomer))));
    this.quit = this.#alone(changeBy(under.declareExited));
    this.exit = this.#alone(changeBy((r) => (isExiting(r) ? under.declareExited(r) : r)));
    this.decide = this.#alone((local) => this.#decision(local));
    this.weaklyUp = this.#alone(changeBy((r) => under.setWeaklyUp(r, rules)));
    this.flagFate = this.#alone(changeBy((r) => this.#row(r, { afresh: true })));
    this.unwell = this.#alone(changeBy((r) => this.#row(r, { unwell: true })));
    this.well = this.#alone(changeBy((r) => this.#row(r, { unwell: false })));
    this.cutOff = this.#alone(changeBy((r) => this.#row(r, { cutOff: !rowOf(r).cutOff })));
    this.startOver = this.#alone(() => OFF);
    this.letIn = this.#alone(useToken);
    this.vanish = this.#each((process, id) => vanish(world, process, id));
    this.lost = this.#each((process, id) => this.#isLost(world.table(process).get(id)));
    this.admits = this.#eachPair((process, id, newcomer) => {
      const { replica } = world.table(process).get(id);
      return replica !== null && under.mayIntroduce(replica, key(newcomer)) ? 1 : 0;
    });
  }

  #alone(make: Make): (process: number, id: number) => number {
    return this.#each((process, id) => stepTo(this.#world, process, id, make));
  }

  #onto(make: (subject: number) => Make): (process: number, id: number, subject: number) => number {
    return this.#eachPair((process, id, subject) =>
      stepTo(this.#world, process, id, make(subject)),
    );
  }

  #each(make: (process: number, id: number) => number): (process: number, id: number) => number {
    const { keys } = this.#world.cast;
    const known = keys.map((_, process) => new Lookup((id) => make(process, id)));
    return (process, id) => (known[process] as Lookup).at(id);
  }

  #eachPair(
    make: (process: number, id: number, other: number) => number,
  ): (process: number, id: number, other: number) => number {
    const size = this.#size;
    const known = Array.from({ length: size * size }, (_, at) => {
      const [process, other] = [Math.floor(at / size), at % size];
      return new Lookup((id) => make(process, id, other));
    });
    return (process, id, other) => (known[process * size + other] as Lookup).at(id);
  }

  #name(subject: number, holds: boolean): Make {
    const key = this.#world.cast.keys[subject] ?? '';
    return changeBy((r) => {
      const others = rowOf(r).unreachable.filter((name) => name !== key);
      return this.#row(r, { unreachable: holds ? [...others, key] : others, afresh: true });
    });
  }

  /**
   * A changed row. Under the own-fate rule it says whether this node is cut off; on contact it is
   * published empty, and accusations are earned again (PROTOCOL "Reach").
   */
  #row(r: Replica, change: Partial<Row> & { readonly afresh?: boolean }): Replica {
    const { under, rules, plan } = this.#world;
    const old = rowOf(r);
    const row = { ...old, ...change };
    if (!plan.fate || !change.afresh) return under.setRow(r, row);
    const cutOff = under.isCutOff(r.state, r.self, new Set(row.unreachable), rules);
    const unreachable = old.cutOff && !cutOff ? [] : row.unreachable;
    return under.setRow(r, { unreachable, unwell: old.unwell, cutOff });
  }

  /** PROTOCOL "Downing", on the view as it is now; when to ask is the plan's affair. */
  #decision(local: Local): Local | null {
    const { replica } = local;
    if (replica === null) return null;
    const { under, rules, cast, plan } = this.#world;
    const answer = under.downing(replica, rules);
    if (answer.kind === 'stop') return withReplica(local, { ...replica, phase: 'stopped' });
    if (answer.kind !== 'down') return null;
    const next = withReplica(local, answer.replica);
    if (!plan.sameDecisions) return next;
    const stay = replica.state.electorateKeys.filter((key) => !answer.subjects.includes(key));
    return { ...next, decided: cast.maskOfKeys(stay) };
  }

  #isLost({ replica, stage }: Local): number {
    if (replica === null || stage !== 'member') return 0;
    const { under, rules } = this.#world;
    const own = new Set(rowOf(replica).unreachable);
    return under.isCutOff(replica.state, replica.self, own, rules) ? 1 : 0;
  }
}

function useToken(local: Local): Local {
  if (local.stage === 'gone') return goneFrom(local, false);
  if (local.stage === 'member') return { ...local, acceptor: -1 };
  return { ...local, accepted: true };
}

const rowOf = (r: Replica): Row =>
  r.state.get(r.self)?.row ?? { version: 0, unreachable: [], unwell: false, cutOff: false };

const isExiting = (r: Replica): boolean => r.state.get(r.self)?.status === 'Exiting';
