/**
 * What a node may change on its own. Each is an ordinary local change: new content that only this
 * node has seen, safe at any time because nothing takes effect without a quorum (R9). What is not
 * allowed, or changes nothing, returns the very same replica.
 */
import { accusations } from './accusations.js';
import type { Digest } from './fingerprint.js';
import { isLive, type Member, type Row } from './member.js';
import { type NodeKey, sortKeys } from './node-key.js';
import { configurations, type Rules } from './quorum.js';
import { change, type Replica } from './replica.js';
import { configurationId } from './tie.js';

/** Down is an intention, to be carried out by the next quorate convergence (PROTOCOL "Downing"). */
export function markDown(r: Replica, subject: NodeKey): Replica {
  const member = r.state.get(subject);
  if (r.phase !== 'member' || !member || !isLive(member.status)) return r;
  return change(r, r.state.with({ ...member, status: 'Down' }));
}

/** From Up alone: leaving before promotion would make `f` disagree with itself (X24). */
export function beginLeave(r: Replica, subject: NodeKey): Replica {
  const member = r.state.get(subject);
  if (r.phase !== 'member' || member?.status !== 'Up') return r;
  return change(r, r.state.with({ ...member, status: 'Leaving' }));
}

/** This node never votes again (R8): after its shutdown tasks, or abruptly from any live status. */
export function declareExited(r: Replica): Replica {
  const me = r.state.get(r.self);
  if (r.phase === 'exited' || r.phase === 'stopped') return r;
  if (!me || me.status === 'Down') return { ...r, phase: 'stopped' };
  return { ...change(r, r.state.with({ ...me, status: 'Exited' })), phase: 'exited' };
}

/**
 * What this node holds against others, whole. Its version rises only if the content changes, since
 * equal versions must mean equal content; names that are no members are left out. What the lease
 * granted stays.
 */
export function setRow(r: Replica, row: Omit<Row, 'version' | 'leases'>): Replica {
  const me = r.state.get(r.self);
  if (r.phase !== 'member' || !me || !isLive(me.status)) return r;
  const named = row.unreachable.filter((key) => key !== r.self && r.state.has(key));
  const unreachable = sortKeys(named);
  const { unwell, cutOff } = row;
  const old = me.row;
  const isSame =
    old.unwell === unwell &&
    old.cutOff === cutOff &&
    old.unreachable.length === unreachable.length &&
    unreachable.every((key, i) => key === old.unreachable[i]);
  if (isSame) return r;
  const next = { ...old, version: old.version + 1, unreachable, unwell, cutOff };
  return change(r, r.state.with({ ...me, row: next }));
}

/**
 * The lease has granted this node the tie of a configuration, which it says in its own row. Grants of
 * configurations that are past are dropped, and one that comes too late is not taken.
 */
export function holdLease(r: Replica, configuration: Digest, rules: Rules): Replica {
  const me = r.state.get(r.self);
  if (r.phase !== 'member' || !me || !isLive(me.status)) return r;
  const current = configurations(r.state, rules).map(configurationId);
  const old = me.row.leases ?? [];
  if (old.includes(configuration) || !current.includes(configuration)) return r;
  const leases = [...old.filter((id) => current.includes(id)), configuration].sort();
  const row = { ...me.row, version: me.row.version + 1, leases };
  return change(r, r.state.with({ ...me, row }));
}

/**
 * While somebody is accused nobody is promoted. If all the others have seen this state, joiners
 * that nobody accuses are shown as WeaklyUp: information only, `f` treats them as Joining (PROTOCOL
 * "Convergence").
 */
export function setWeaklyUp(r: Replica, rules: Rules): Replica {
  const me = r.state.get(r.self);
  if (r.phase !== 'member' || !me || !isLive(me.status)) return r;
  const { accused } = accusations(r.state, rules);
  if (accused.size === 0) return r;
  const isUnseen = (key: NodeKey, index: number) => !accused.has(key) && !r.seen.has(index);
  if (r.state.electorateKeys.some(isUnseen)) return r;
  const isWaiting = ({ key, status }: Member) => status === 'Joining' && !accused.has(key);
  const joiners = r.state.electorate.filter(isWaiting);
  const state = joiners.reduce((s, member) => s.with({ ...member, status: 'WeaklyUp' }), r.state);
  return change(r, state);
}
