/**
 * X10 to X21 and X24: how members come, what is remembered, who is believed (R1 to R3, R7, R10 to
 * R12).
 */
import {
  change,
  emptyRow,
  isLive,
  judge,
  type Member,
  type NodeKey,
  type Replica,
  State,
} from '@rollcall/convergence';
import { convergence, firing, plainMerge, receiving, seenOf } from './plain.js';
import { liveness, safety } from './plan.js';
import { isNoNewcomer, isOldVoter, ruledBy } from './quorum-variants.js';
import { type RulesUnderTest, shipped } from './rules-under-test.js';
import type { Variant } from './variant.js';

/** The acceptor writes the newcomer down itself (X10). */
function addNewcomer(r: Replica, newcomer: NodeKey): Replica {
  const isUp = r.phase === 'member' && r.state.get(r.self)?.status === 'Up';
  if (!isUp || r.state.has(newcomer) || r.state.wasRemoved(newcomer)) return r;
  const row = { key: newcomer, roles: [], appVersion: '1', row: emptyRow };
  return change(r, r.state.with({ ...row, status: 'Joining', upNumber: null }));
}

const addedByAcceptor: Partial<RulesUnderTest> = {
  asked: addNewcomer,
  mayIntroduce: (r, newcomer) =>
    r.phase === 'member' && r.state.get(newcomer)?.status === 'Joining',
  introduce: ({ state, self }, me) => ({
    self: me.key,
    phase: 'member',
    state,
    seen: seenOf(state, [me.key, self]),
  }),
};

/** From the given judgement to 'merge', where nothing else speaks against it. */
const judgingAlso =
  (more: (r: Replica, from: NodeKey, inState: State, judgement: string) => boolean): typeof judge =>
  (r, from, inState, epoch) => {
    const judgement = judge(r, from, inState, epoch);
    if (inState === null || judgement === 'merge' || !more(r, from, inState, judgement)) {
      return judgement;
    }
    const me = inState.get(r.self);
    const takes = r.phase !== 'exited' && r.phase !== 'stopped';
    return takes && me !== undefined && isLive(me.status) ? 'merge' : judgement;
  };

/** One number each, as Akka gives them out. */
function runningNumbers(state: State, count: number): readonly number[] {
  const last = Math.max(0, ...state.members.map(({ upNumber }) => upNumber ?? 0));
  return Array.from({ length: count }, (_number, place) => last + 1 + place);
}

const akkaNumbers: Partial<RulesUnderTest> = {
  isVoter: isOldVoter,
  converged: convergence({ votes: isNoNewcomer }),
  f: firing({ numbers: runningNumbers }),
};

export const historyVariants: readonly Variant[] = [
  {
    name: 'X10',
    title: 'the acceptor adds the joiner (R11)',
    plan: safety('1 and two joiners', '', { up: 'A', join: 'BC' }),
    under: ruledBy(addedByAcceptor),
    breaks: 'I2',
  },
  {
    name: 'X11',
    title: 'an introduction is accepted when it is one epoch behind (R11)',
    plan: liveness(
      '2 and two joiners',
      '',
      { survivors: 0, timeouts: false },
      { up: 'AB', join: 'CD' },
    ),
    under: ruledBy({
      judgeIntroduction: (r, from, inState) => {
        const answer = shipped.judgeIntroduction(r, from, inState);
        const isNear = Math.abs(inState.epoch - r.state.epoch) <= 1;
        return answer === 'welcome' && isNear ? 'receive' : answer;
      },
    }),
    breaks: 'LIVENESS',
  },
  {
    name: 'X12',
    title: 'another attempt to join under the same uid (R11)',
    plan: safety('1 and two joiners', '', { up: 'A', join: 'BC', pool: 1, notices: true }),
    under: { ...ruledBy({}), retriesAsItself: true },
    breaks: 'I2',
  },
  {
    name: 'X13',
    title: 'nobody remembers who was removed (R10)',
    plan: safety('3 up', '', { up: 'ABC' }),
    under: ruledBy({ f: firing({ remembers: false }) }),
    breaks: 'I2',
  },
  {
    name: 'X14',
    title: 'gossip of any epoch is merged (R10)',
    plan: safety('2 and a joiner', '', { up: 'AB', join: 'C', pool: 1 }),
    under: ruledBy({
      judge: judgingAlso((_r, _from, _state, judgement) => judgement === 'stale'),
      merge: plainMerge,
      receive: receiving({}),
    }),
    breaks: 'I2',
  },
  {
    name: 'X15',
    title: 'gossip of Down members is merged (R12)',
    plan: safety('2 and a joiner', '', { up: 'AB', join: 'C' }),
    under: ruledBy({
      judge: judgingAlso(
        (r, from, inState) =>
          r.state.get(from)?.status === 'Down' && Math.abs(inState.epoch - r.state.epoch) <= 1,
      ),
    }),
    breaks: 'I2b',
  },
  {
    name: 'X16',
    title: 'a fire does not move the epoch (R2)',
    plan: safety('2 and a joiner', '', { up: 'AB', join: 'C' }),
    under: ruledBy({
      f: firing({ epoch: (state) => state.epoch, commits: false }),
      merge: plainMerge,
      receive: receiving({}),
    }),
    breaks: 'I5',
  },
  {
    name: 'X17',
    title: 'no empty fire commits a promotion (R7)',
    plan: liveness('2 and a joiner', '', { survivors: 0, timeouts: true }, { up: 'AB', join: 'C' }),
    under: ruledBy({ f: firing({ commits: false }) }),
    breaks: 'LIVENESS',
  },
  {
    name: 'X18',
    title: 'numbers are given out one by one, and Joining members do not vote (R2, R4)',
    plan: safety('2 and two joiners', '', { up: 'CD', join: 'AB', downs: 1 }),
    under: ruledBy(akkaNumbers),
    breaks: 'I4',
  },
  {
    name: 'X19',
    title: 'the same, until one converged state holds it',
    plan: safety('2 and two joiners', '', { up: 'CD', join: 'AB', downs: 2 }),
    under: ruledBy(akkaNumbers),
    breaks: 'I4d',
  },
  {
    name: 'X20',
    title: 'f looks at seen: it promotes only joiners that are known to have seen the state (R7)',
    plan: safety('2 and a joiner', '', { up: 'AB', join: 'C' }),
    under: ruledBy({
      isVoter: isOldVoter,
      converged: convergence({ votes: isNoNewcomer }),
      f: firing({ isPromoted: ({ key }, seen, state) => seen.hasKey(state, key) }),
    }),
    breaks: 'I6d',
  },
  {
    name: 'X21',
    title: 'seen is carried over to other content (R3)',
    plan: safety('3, one leaves', '', { up: 'ABC', leaves: 1 }),
    under: ruledBy({ receive: receiving({ carriesSeen: true }) }),
    breaks: 'I5',
  },
  {
    name: 'X24',
    title: 'a Joining member may be told to leave',
    plan: safety('2 and a joiner', '', { up: 'AB', join: 'C', leaves: 1 }),
    under: ruledBy({ beginLeave: leaveAnyhow }),
    breaks: 'I6d',
  },
];

function leaveAnyhow(r: Replica, subject: NodeKey): Replica {
  const member = r.state.get(subject);
  if (r.phase !== 'member' || member?.status !== 'Joining') return shipped.beginLeave(r, subject);
  const { clusterId, epoch, removed } = r.state;
  const members = r.state.members.map(
    (m): Member => (m === member ? { ...m, status: 'Leaving' } : m),
  );
  return change(r, State.from({ clusterId, epoch, members, removed }));
}
