/**
 * Alive, ready, started, and why not. `/alive` asks for a restart, `/ready` for traffic, `/startup`
 * for patience: another member's trouble makes none of them fail, or one dead node would take
 * every other out of service.
 */
import type { Blocker, Member } from '@rollcall/core';
import { answer } from './answer.js';
import type { ManagedCluster } from './managed-cluster.js';
import { type StatusWord, statusWord } from './status-word.js';

export interface HealthAnswer {
  readonly ok: boolean;
  readonly status: StatusWord;
  /** A sentence each; empty when all is well. */
  readonly reasons: readonly string[];
}

/** The run has not ended. A node that waits to be let in is alive. */
export const alive = (cluster: ManagedCluster): Response =>
  health(cluster, cluster.self.status === 'removed' ? [ENDED] : []);

/** This node was let in and published as up, now or earlier in this run. */
export const startup = (cluster: ManagedCluster): Response => {
  const { status } = cluster.self;
  if (status === 'removed') return health(cluster, [ENDED]);
  const started = status !== 'joining' && status !== 'weaklyUp';
  if (started) return health(cluster, []);
  const held = isHeldBack(cluster) ? tooFew(cluster) : [];
  return health(cluster, [notYet(cluster), ...held, ...blocking(cluster.blockers)]);
};

/** Work may be sent here: up (or weakly up), enough members are, and this node sees a quorum. */
export const ready = (cluster: ManagedCluster): Response => {
  const { status } = cluster.self;
  if (status === 'removed') return health(cluster, [ENDED]);
  const reasons: string[] = [];
  if (status === 'joining') reasons.push(notYet(cluster));
  else if (status !== 'up' && status !== 'weaklyUp') {
    reasons.push(`this node is ${statusWord(status)} and takes no new work`);
  }
  reasons.push(...tooFew(cluster), ...blocking(cluster.blockers));
  return health(cluster, reasons);
};

const ENDED = 'the run of this node has ended';

const notYet = ({ self }: ManagedCluster): string =>
  `this node is ${statusWord(self.status)}: no cluster has published it as Up yet`;

/** Those blockers that are about this node's own standing, not about another member. */
const OWN: ReadonlySet<Blocker['kind']> = new Set(['notQuorate', 'noVoters', 'notMember']);

const blocking = (blockers: readonly Blocker[]): string[] =>
  blockers.filter(({ kind }) => OWN.has(kind)).map(({ text, resolve }) => `${text} ${resolve}`);

/** Agreed on as Up, and shown as Joining until the minimum is reached: only who was up has an age. */
const isHeld = ({ status, age }: Member): boolean => status === 'joining' && age !== undefined;

const isHeldBack = ({ state }: ManagedCluster): boolean => state.members.some(isHeld);

function tooFew(cluster: ManagedCluster): string[] {
  const { min, minPerRole } = cluster.settings.members;
  const up = cluster.state.members.filter((each) => each.status === 'up' || isHeld(each));
  const until = isHeldBack(cluster) ? ': nobody is published as Up before that' : '';
  const reasons: string[] = [];
  if (up.length < min) {
    reasons.push(`${up.length} of at least ${min} members are Up (members.min)${until}`);
  }
  for (const [role, least] of Object.entries(minPerRole)) {
    const count = up.filter((each) => each.roles.includes(role)).length;
    if (count >= least) continue;
    const what = `${count} of at least ${least} members with role ${role} are Up`;
    reasons.push(`${what} (members.minPerRole.${role})${until}`);
  }
  return reasons;
}

function health({ self }: ManagedCluster, reasons: readonly string[]): Response {
  const body: HealthAnswer = { ok: reasons.length === 0, status: statusWord(self.status), reasons };
  return answer(body.ok ? 200 : 503, body);
}
