/** What the members command and the watch show: a row for each member, and one sentence. */
import type { MemberAnswer, MembersAnswer } from '@rollcall/management';
import { NO_APP_VERSION } from '../node-options.js';
import { table } from './table.js';

const HEAD = ['NODE', 'STATUS', 'REACHABILITY', 'ROLES', 'APP VERSION', 'AGE ORDER'];

export function memberTable(answer: MembersAnswer): string {
  const rows = answer.members.map((member) => row(member, answer.selfNode));
  return `${table(HEAD, rows)}\n${summary(answer)}\n`;
}

function row(member: MemberAnswer, self: string): string[] {
  const { node, status, reachability, observedBy, roles, appVersion, age } = member;
  return [
    node === self ? `${node} *` : node,
    status,
    reachability === 'reachable' ? reachability : `${reachability} (${observedBy.length} say so)`,
    roles.join(',') || '-',
    appVersion === NO_APP_VERSION ? '-' : appVersion || '-',
    age === null ? '-' : age === 0 ? '0 (oldest)' : String(age),
  ];
}

function summary({
  members,
  unreachable,
  convergence,
  digest,
  selfNode,
  selfStatus,
}: MembersAnswer): string {
  if (members.length === 0)
    return `No members: ${selfNode} is ${selfStatus} and nobody has let it in yet.`;
  const up = members.filter(({ status }) => status === 'Up').length;
  const count = members.length === 1 ? '1 member' : `${members.length} members`;
  const out = unreachable.length === 0 ? 'none unreachable' : `${unreachable.length} unreachable`;
  const agreed = convergence
    ? `All have seen this state (digest ${digest.slice(0, 8)}).`
    : 'Not converged: `rollcall blockers` says why.';
  return `${count}, ${up} Up, ${out}. ${agreed} Seen from ${selfNode} (*).`;
}
