/**
 * The acceptor's half of a join: checks, welcomes, and the introduction by which the joiner enters the
 * state. The acceptor's own state never changes before the joiner has written itself in (X10).
 */
import {
  addressOf,
  diff,
  holdersOf,
  introduce,
  judgeIntroduction,
  mayIntroduce,
  type NodeKey,
  receive,
  Seen,
  type State,
} from '@rollcall/convergence';
import { commit } from './commit.js';
import { downReplaced } from './downing.js';
import { bringUpToDate, rebuild, remember } from './gossip.js';
import type { RefusalCode } from './hello.js';
import type { Message } from './message.js';
import type { Node } from './node.js';

const ACCEPTORS_NAMED = 8;
/** How soon to ask again when the answer depends on a change that takes a few round trips. */
const SOON_MS = 100;

/** Members that can let a joiner in, this node first. */
export function acceptors(node: Node): NodeKey[] {
  if (!node.isMember) return [];
  const { accused } = node.accusations;
  const up = node.state.members.filter(
    (member) => member.status === 'Up' && !accused.has(member.key),
  );
  const keys = up.map((member) => member.key).filter((key) => key !== node.self);
  const picked: NodeKey[] = node.me?.status === 'Up' ? [node.self] : [];
  while (picked.length < ACCEPTORS_NAMED && keys.length > 0) {
    picked.push(...keys.splice(Math.floor(node.random.next() * keys.length), 1));
  }
  return picked;
}

export function onJoin(node: Node, from: NodeKey, nowMs: number): void {
  if (!node.isMember || node.me?.status !== 'Up') return retry(node, from, 2 * SOON_MS);
  if (node.state.has(from) || node.state.wasRemoved(from)) return retry(node, from, 0, true);
  if (node.state.size >= node.settings.limits.members) {
    return refuse(
      node,
      from,
      'limit',
      `the cluster is at limits.members (${node.settings.limits.members})`,
    );
  }
  const old = holdersOf(node.state, addressOf(from));
  if (old.length > 0) return takeOver(node, from, old);
  // It could never go up here (mayIntroduce).
  if (node.me.row.cutOff) return retry(node, from, 2 * SOON_MS);
  dropExpired(node, nowMs);
  const isFull = node.welcomes.size + node.held.size >= node.settings.limits.joins;
  // Whoever is served already asks again because the answer was lost on the way.
  const isServed = node.held.has(from) || tokenOf(node, from) !== undefined;
  if (isFull && !isServed) {
    return retry(node, from, Math.max(SOON_MS, node.settings.join.batchWindow));
  }
  if (!isBusy(node, nowMs)) return welcome(node, from, nowMs);
  if (!node.held.has(from)) node.held.set(from, { sinceMs: nowMs });
  node.armBy('admit', nowMs, nowMs + node.settings.join.batchMax);
}

/** An earlier run of that address is a member. If it is live, only the address itself can say whether it still runs. */
function takeOver(node: Node, from: NodeKey, holders: readonly NodeKey[]): void {
  const old = holders.find((key) => node.isLiveHere(key));
  if (old === undefined) return retry(node, from, SOON_MS);
  if (old === node.self) return refuse(node, from, 'addressInUse', inUse(old));
  if (node.probing.size >= node.settings.limits.joins || node.probing.has(from))
    return retry(node, from, 2 * SOON_MS);
  node.probing.set(from, old);
  node.out.push({ kind: 'probe', address: addressOf(old) });
}

export function onProbed(node: Node, address: string, found: NodeKey | undefined): void {
  for (const [joiner, old] of node.probing) {
    if (addressOf(old) !== address) continue;
    node.probing.delete(joiner);
    if (found === old) {
      refuse(node, joiner, 'addressInUse', inUse(old));
      continue;
    }
    // Silence proves nothing: the old run may be busy or paused. That the joiner answers there itself does.
    if (found === joiner && node.isMember) downReplaced(node, old);
    retry(node, joiner, SOON_MS);
  }
}

const inUse = (old: NodeKey): string =>
  `${addressOf(old)} is held by a run that is alive (${old}); give this node another address or stop that one`;

function refuse(node: Node, to: NodeKey, code: RefusalCode, message: string): void {
  node.log('warn', `refused ${addressOf(to)}: ${message}`, { node: to, code });
  node.send(to, { kind: 'joinRefused', refusal: { code, message, by: node.options.address } });
}

function retry(node: Node, to: NodeKey, afterMs: number, freshUid = false): void {
  node.send(to, { kind: 'joinRetry', afterMs, freshUid, ask: acceptors(node).map(addressOf) });
}

/** While a change is on its way, joiners wait for it to be agreed, or arrivals could starve convergence. */
function isBusy(node: Node, nowMs: number): boolean {
  const { batchWindow } = node.settings.join;
  let isJoining = false;
  for (const { status } of node.state.members) {
    if (status === 'Down' || status === 'Exited' || status === 'Leaving') return true;
    isJoining ||= status === 'Joining' || status === 'WeaklyUp';
  }
  if (!isJoining) node.joiningSinceMs = undefined;
  else node.joiningSinceMs ??= nowMs;
  return node.joiningSinceMs !== undefined && nowMs - node.joiningSinceMs >= batchWindow;
}

function dropExpired(node: Node, nowMs: number): void {
  for (const [token, each] of node.welcomes)
    if (nowMs > each.deadlineMs) node.welcomes.delete(token);
}

function tokenOf(node: Node, joiner: NodeKey): string | undefined {
  for (const [token, ticket] of node.welcomes) if (ticket.joiner === joiner) return token;
  return undefined;
}

/** One that asks again is answered again, on the token it has: with the same state while that will do, whichever answer it takes. */
function welcome(node: Node, to: NodeKey, nowMs: number): void {
  const token = tokenOf(node, to) ?? node.random.uid();
  const shown = node.welcomes.get(token)?.state;
  const state = shown?.epoch === node.state.epoch ? shown : node.state;
  const deadlineMs = nowMs + 2 * node.settings.join.retryAfter;
  node.welcomes.set(token, { joiner: to, state, deadlineMs });
  node.send(to, { kind: 'welcome', token, patch: diff(null, state) });
}

/** After every change: those held back are served if nothing is on its way any more. */
export function admitHeld(node: Node, nowMs: number): void {
  if (node.held.size > 0 && !isBusy(node, nowMs)) serveHeld(node, nowMs);
}

/** `join.batchMax` has passed for the first of those held back. */
export function onAdmitDue(node: Node, nowMs: number): void {
  if (node.isMember) serveHeld(node, nowMs);
}

function serveHeld(node: Node, nowMs: number): void {
  const held = [...node.held.keys()];
  node.held.clear();
  for (const key of held) {
    if (node.replica !== undefined && mayIntroduce(node.replica, key)) welcome(node, key, nowMs);
    else retry(node, key, SOON_MS);
  }
}

/** The joiner wrote itself into the state it was welcomed with. Only the same epoch will do (X11). */
export function onIntroduce(
  node: Node,
  from: NodeKey,
  message: Extract<Message, { kind: 'introduce' }>,
  nowMs: number,
): void {
  const { replica } = node;
  const ticket = node.welcomes.get(message.token);
  if (ticket === undefined || ticket.joiner !== from || replica === undefined || !node.isMember) {
    return node.isMember && node.isLiveHere(from)
      ? confirm(node, from, nowMs)
      : retry(node, from, SOON_MS, true);
  }
  const { state } = replica;
  if (ticket.state.epoch !== state.epoch && mayIntroduce(replica, from)) {
    node.welcomes.set(message.token, { ...ticket, state });
    return node.send(from, { kind: 'welcome', token: message.token, patch: diff(null, state) });
  }
  // It answers an earlier welcome under this token; the answer to the later one is on its way.
  if (message.patch.epoch !== ticket.state.epoch) return;
  node.welcomes.delete(message.token);
  remember(node, ticket.state);
  const theirs = rebuild(node, message.patch);
  if (theirs === undefined || !isOwnIntroduction(ticket.state, theirs, from)) {
    return refuse(node, from, 'badFrame', 'its introduction does not follow from its welcome');
  }
  if (judgeIntroduction(replica, from, theirs) !== 'receive' || nowMs > ticket.deadlineMs) {
    return retry(node, from, SOON_MS, true);
  }
  remember(node, theirs);
  const peer = node.peer(from);
  peer.holds = theirs.digest;
  peer.seen = Seen.only(theirs, from);
  commit(node, receive(replica, theirs, peer.seen), 'introduced here');
  node.joiningSinceMs ??= nowMs;
  bringUpToDate(node, peer, nowMs);
}

/** Its introduction came twice, or the confirmation was lost: it is told once more that it is listed. */
function confirm(node: Node, to: NodeKey, nowMs: number): void {
  const peer = node.peer(to);
  peer.seen = undefined;
  peer.told = undefined;
  bringUpToDate(node, peer, nowMs);
}

/** It may add itself as joining and change nothing else. */
function isOwnIntroduction(before: State, after: State, joiner: NodeKey): boolean {
  const newcomer = after.get(joiner);
  if (newcomer === undefined || before.has(joiner) || before.wasRemoved(joiner)) return false;
  return introduce(before, newcomer).state.equals(after);
}
