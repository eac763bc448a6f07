/** X01 to X09 and X22, X23: who is counted, who votes, when it is time (R4 to R9, R13, R14). */
import {
  change,
  isLive,
  type Member,
  type NodeKey,
  type Replica,
  reach,
  type State,
} from '@rollcall/convergence';
import {
  convergence,
  downingBy,
  firing,
  isCounted,
  type Quorate,
  quorum,
  settling,
} from './plain.js';
import { decisions, liveness, type Options, type Plan, safety } from './plan.js';
import { type RulesUnderTest, shipped } from './rules-under-test.js';
import type { Variant } from './variant.js';

/** What ships, but for some functions; `settle` is then made of those. */
export function ruledBy(parts: Partial<RulesUnderTest>): RulesUnderTest {
  const open = { assertInvariants: () => undefined, noteSeen: null };
  const rules = { ...shipped, ...open, ...parts };
  return { ...rules, settle: settling(rules.converged, rules.f) };
}

const withQuorum = (quorate: Quorate): Partial<RulesUnderTest> => ({
  converged: convergence({ quorate }),
  downing: downingBy(quorate),
  isCutOff: (state, self, own, rules) => !quorate(state, reach(state, self, own, rules), rules),
});

const three = (title: string, options: Options = {}): Plan =>
  safety('3 up', title, { up: 'ABC', ...options });

const notDown = (member: Member) => isCounted(member) && member.status !== 'Down';
const everybodyWins = () => [];
const joiners = (state: State) => state.members.filter(({ status }) => isLive(status));

/** R13 left out: the restart proves that the old run is dead, so it counts no more. */
function forgetHolder(r: Replica, newcomer: NodeKey): Replica {
  const downed = shipped.asked(r, newcomer).state;
  const old = downed.members.find(({ key, status }) => status !== r.state.get(key)?.status);
  return old === undefined ? r : change(r, downed.with({ ...old, status: 'Exited' }));
}

export const quorumVariants: readonly Variant[] = [
  {
    name: 'X01',
    title: 'only the newest configuration is counted (R6)',
    plan: decisions('4, a promotion and a partition', '', {
      up: 'BCD',
      join: 'A',
      splits: 1,
      splitSides: 'AB',
      heals: false,
    }),
    under: ruledBy(withQuorum(quorum({ joint: false }))),
    breaks: 'I6a',
  },
  {
    name: 'X02',
    title: 'Down members leave the denominator at once (R6)',
    plan: three('3, anybody downs anybody'),
    under: ruledBy(withQuorum(quorum({ counted: notDown }))),
    breaks: 'I6a',
  },
  {
    name: 'X02b',
    title: 'the same, with the real decision instead of arbitrary Downs',
    plan: decisions('3, a partition that heals', '', { up: 'ABC', splits: 1 }),
    under: ruledBy(withQuorum(quorum({ counted: notDown }))),
    breaks: 'I6a',
  },
  {
    name: 'X03',
    title: 'f is not guarded by a quorum (R5)',
    plan: three('3, anybody downs anybody'),
    under: ruledBy({ converged: convergence({ quorate: () => true }) }),
    breaks: 'I6a',
  },
  {
    name: 'X04',
    title: 'Exiting members do not vote, and are removed when convenient (R4, R8)',
    plan: three('3, one leaves', { leaves: 1 }),
    under: ruledBy({
      isVoter: (member) => isLive(member.status) && member.status !== 'Exiting',
      converged: convergence({
        votes: ({ status }) => status !== 'Exiting',
        quorate: quorum({ counted: (m) => isCounted(m) && m.status !== 'Exiting' }),
      }),
      f: firing({ isRemoved: ({ status }) => !isLive(status) || status === 'Exiting' }),
    }),
    breaks: 'I6a',
  },
  {
    name: 'X05',
    title: 'an Exiting member is removed although it has not said Exited (R8)',
    plan: three('3, one leaves', { leaves: 1 }),
    under: ruledBy({
      f: firing({ isRemoved: ({ status }) => !isLive(status) || status === 'Exiting' }),
    }),
    breaks: 'I6a',
  },
  {
    name: 'X06',
    title: 'Exited members are still counted (R6)',
    plan: liveness('3, two leave', '', { survivors: 0, timeouts: false }, { up: 'ABC', leaves: 2 }),
    under: ruledBy(
      withQuorum(
        quorum({ counted: (m) => isCounted(m) || (m.upNumber !== null && m.status === 'Exited') }),
      ),
    ),
    breaks: 'LIVENESS',
  },
  {
    name: 'X07',
    title: 'a leaver goes after one answer, instead of when it is told (R8)',
    plan: liveness(
      '4, one leaves and one crashes',
      '',
      { survivors: 1, timeouts: true },
      { up: 'ABCD', leaves: 1, crashes: 1, fate: false },
    ),
    under: {
      ...shipped,
      isFarewellOver: (exited, listener) => listener.get(exited.self)?.status === 'Exited',
    },
    breaks: 'LIVENESS',
  },
  {
    name: 'X08',
    title: 'a restart on the same address counts as "the old one is gone" (R13)',
    plan: safety('3 and a restart', '', { up: 'ABC', join: 'B2', crashes: 1, crashable: 'B' }),
    under: ruledBy({ asked: forgetHolder }),
    breaks: 'I6a',
  },
  {
    name: 'X09',
    title: 'Joining members are not in the electorate (R4)',
    plan: safety('2 and a joiner', '', { up: 'AB', join: 'C' }),
    under: ruledBy({ isVoter: isOldVoter, converged: convergence({ votes: isNoNewcomer }) }),
    breaks: 'I2b',
  },
  {
    name: 'X22',
    title: 'an empty configuration is trivially quorate (R14)',
    plan: safety('1 and two joiners', '', { up: 'A', join: 'BC', quits: 1 }),
    under: ruledBy(withQuorum(quorum({ whenEmpty: everybodyWins }))),
    breaks: 'I6a',
  },
  {
    name: 'X23',
    title: 'an empty configuration falls back to the joiners (R14)',
    plan: safety('1 and two joiners', '', { up: 'A', join: 'BC', quits: 1 }),
    under: ruledBy(withQuorum(quorum({ whenEmpty: joiners }))),
    breaks: 'I6a',
  },
];

export function isOldVoter(member: Member): boolean {
  return isLive(member.status) && isNoNewcomer(member);
}

export function isNoNewcomer({ status }: Member): boolean {
  return status !== 'Joining' && status !== 'WeaklyUp';
}
