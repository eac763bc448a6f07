/**
 * The notes of PROTOCOL: what is not needed for safety (N), and what decisions may do to
 * availability when they are hasty or unlucky (D). D2 is what ships.
 */
import { type Judgement, judge, type Replica, type State } from '@rollcall/convergence';
import { convergence, plainMerge, receiving } from './plain.js';
import { decisions, liveness, planOf, safety } from './plan.js';
import { ruledBy } from './quorum-variants.js';
import { shipped } from './rules-under-test.js';
import type { Variant } from './variant.js';

/** As if this process had not exited, but for its own statement. */
function judgeWhileExited(
  r: Replica,
  from: string,
  inState: State | null,
  epoch: number,
): Judgement {
  return judge(r.phase === 'exited' ? { ...r, phase: 'member' } : r, from, inState, epoch);
}

/** As if its state were of this cluster. */
function judgeAnyCluster(
  r: Replica,
  from: string,
  inState: State | null,
  epoch: number,
): Judgement {
  if (inState === null || inState.clusterId === r.state.clusterId) {
    return judge(r, from, inState, epoch);
  }
  const same = judge(r, from, null, epoch);
  return same === 'merge' && !inState.has(r.self) ? 'drop' : same;
}

export const decisionVariants: readonly Variant[] = [
  {
    name: 'D1',
    title: 'different decisions on agreed states, when they are taken at any moment',
    plan: decisions('3, a partition and a false accusation', '', {
      up: 'ABC',
      splits: 1,
      marks: 1,
      sameDecisions: true,
    }),
    under: shipped,
    breaks: 'D1',
  },
  {
    name: 'D2',
    title: 'the same with decisions after stable-after',
    plan: liveness(
      '3, a partition and a false accusation',
      '',
      { survivors: 2, timeouts: true },
      { up: 'ABC', splits: 1, marks: 1, fate: false, sameDecisions: true },
    ),
    under: shipped,
    breaks: null,
  },
  {
    name: 'D3',
    title: 'decisions without stable-after cost everybody',
    plan: liveness(
      '3, a partition that heals',
      '',
      { survivors: 1, timeouts: true },
      { up: 'ABC', splits: 1, decide: 'anytime', fate: false },
    ),
    under: shipped,
    breaks: 'LIVENESS',
  },
  {
    name: 'D4',
    title: 'a partition inside a promotion window costs everybody',
    plan: liveness(
      '3 and a joiner, a partition',
      '',
      { survivors: 1, timeouts: true },
      { up: 'BCD', join: 'A', splits: 1, splitSides: 'AB', heals: false, fate: false },
    ),
    under: shipped,
    breaks: 'LIVENESS',
  },
];

export const noteVariants: readonly Variant[] = [
  {
    name: 'N1',
    title: 'unreachability does not block convergence',
    plan: planOf('3, arbitrary Downs and false accusations', '', {
      up: 'ABC',
      rows: true,
      havoc: true,
      downs: 1,
      marks: 2,
    }),
    under: ruledBy({ converged: convergence({ blockedByAccusations: false }) }),
    breaks: null,
  },
  {
    name: 'N2',
    title: 'exited nodes keep merging',
    plan: safety('3, one exits', '', { up: 'ABC', quits: 1, leaves: 1 }),
    under: {
      ...ruledBy({}),
      judge: judgeWhileExited,
      receive: receiving({ whileExited: true }),
    },
    breaks: null,
  },
  {
    name: 'N3',
    title: 'a joiner is active before it is accepted',
    plan: safety('2 and a joiner', '', { up: 'AB', join: 'C', leaves: 1 }),
    under: {
      ...ruledBy({}),
      introduce: (acceptor, me) => ({ ...shipped.introduce(acceptor, me), phase: 'member' }),
    },
    breaks: null,
  },
  {
    name: 'N4',
    title: 'the cluster of a message is not asked for',
    plan: safety('two founders and two joiners', '', { found: 'AB', join: 'CD' }),
    under: ruledBy({
      judge: judgeAnyCluster,
      merge: plainMerge,
      receive: receiving({}),
    }),
    breaks: null,
  },
  {
    name: 'N5',
    title: 'no notices: detection and the own fate are enough',
    plan: liveness(
      '3, a partition that heals',
      '',
      { survivors: 2, timeouts: true },
      { up: 'ABC', splits: 1, notices: false },
    ),
    under: shipped,
    breaks: null,
  },
];
