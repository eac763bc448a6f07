/**
 * What is explored: who is there, what the adversary may do and how often, what must hold.
 *
 */
import { type DowningStrategy, defaultRules, type Rules } from '@rollcall/convergence';

/** Processes are named `A`, `B`, …; `B2` is the second run on the address of `B`. */
export interface Plan {
  readonly name: string;
  readonly title: string;
  /** Up from the start, in one converged cluster, with the upNumbers 1, 2, … */
  readonly up: string;
  /** Want to join, at any time; a later run only when the earlier one no longer runs. */
  readonly join: string;
  /** Each founds a cluster of its own. */
  readonly found: string;
  readonly strategy: DowningStrategy;
  /** Q of static-quorum. */
  readonly quorum: number;
  readonly tieOldest: boolean;
  /** q: how many observers must agree. */
  readonly observers: number;
  /**
   * `delayed`: whoever observes convergence fires at any time or never, the wider adversary.
   * `atomic`: in the same breath as the change that enabled it, as `settle` ships.
   */
  readonly firing: 'delayed' | 'atomic';
  /** Any member marks any other Down at any time: every strategy, operator and timing at once. */
  readonly havoc: boolean;
  /** How many such marks there are. */
  readonly downs: number;
  readonly leaves: number;
  /** Abrupt exits, from any status. */
  readonly quits: number;
  readonly crashes: number;
  /** Who may crash; empty for anybody. */
  readonly crashable: string;
  /** How many stale snapshots are on their way, for ever, as gossip and as Welcome. */
  readonly pool: number;
  /** Failure detection: who is out of reach is accused at some time, who is back is no longer. */
  readonly rows: boolean;
  /** Accusations without any reason. */
  readonly marks: number;
  /** How often a process that is well says that it is not. */
  readonly flags: number;
  /** Links over which the first hears nothing from the second, as in `D<A`. */
  readonly deaf: string;
  readonly splits: number;
  /** The one side of the only partition there is; empty for any. */
  readonly splitSides: string;
  readonly heals: boolean;
  /** Reaches both sides of a partition. */
  readonly bridge: string;
  /** Joiners may be shown as WeaklyUp. */
  readonly weak: boolean;
  /**
   * The decision function: not at all, at any moment, or once nothing else moves (stable-after).
   */
  readonly decide: 'never' | 'anytime' | 'settled';
  /** The own-fate rule: a node that reaches no quorum says so, and stops in the end. */
  readonly fate: boolean;
  /** Silence is longer than gossip takes: nobody is accused while anything else moves. */
  readonly patience: boolean;
  /** Whether NotMember notices arrive. */
  readonly notices: boolean;
  /** Whether two decisions that were agreed on may contradict each other (D1). */
  readonly sameDecisions: boolean;
  /** Goals that every position of rest must meet; null where only safety is asked. */
  readonly live: Liveness | null;
  /** Merge laws over the states that met (I3). */
  readonly laws: boolean;
  readonly maxStates: number;
}

export interface Liveness {
  /** How many must be running in the end. */
  readonly survivors: number;
  /** Whether stopping for want of a quorum, or a join that starts over, may be needed. */
  readonly timeouts: boolean;
}

const DEFAULTS: Plan = {
  name: '',
  title: '',
  up: '',
  join: '',
  found: '',
  strategy: 'keep-majority',
  quorum: 1,
  tieOldest: false,
  observers: 1,
  firing: 'delayed',
  havoc: false,
  downs: Number.POSITIVE_INFINITY,
  leaves: 0,
  quits: 0,
  crashes: 0,
  crashable: '',
  pool: 0,
  rows: false,
  marks: 0,
  flags: 0,
  deaf: '',
  splits: 0,
  splitSides: '',
  heals: true,
  bridge: '',
  weak: false,
  decide: 'never',
  fate: false,
  patience: false,
  notices: false,
  sameDecisions: false,
  live: null,
  laws: false,
  maxStates: 16_000_000,
};

export type Options = Partial<Omit<Plan, 'name' | 'title'>>;

export const planOf = (name: string, title: string, options: Options): Plan => ({
  ...DEFAULTS,
  ...options,
  name,
  title,
});

/** Anybody downs anybody, fires late or never, and old snapshots come back: the S runs. */
export const safety = (name: string, title: string, options: Options): Plan =>
  planOf(name, title, { havoc: true, notices: true, ...options });

/** Rows and the real decision at any moment: the R runs. */
export const decisions = (name: string, title: string, options: Options): Plan =>
  planOf(name, title, { rows: true, notices: true, decide: 'anytime', ...options });

/**
 * Real detection, decisions when nothing else moves, goals wherever nothing moves at all: the L
 * runs.
 */
export const liveness = (
  name: string,
  title: string,
  { survivors, timeouts }: Liveness,
  options: Options,
): Plan =>
  planOf(name, title, {
    rows: true,
    notices: true,
    decide: 'settled',
    fate: true,
    live: { survivors, timeouts },
    ...options,
  });

/**
 * One object a plan: what is remembered about a state is told apart by the identity of the rules.
 */
export const rulesOf = (plan: Plan): Rules => ({
  ...defaultRules,
  strategy: plan.strategy,
  quorum: plan.quorum,
  tieOldest: plan.tieOldest,
  observers: plan.observers,
});
