/**
 * Dissemination by change and repair by digest. A changed state goes to the neighbours at once, as the
 * difference to what each is known to hold; so does news of who has seen it. A peer whose digest is
 * unknown is asked for the difference, and when neither knows the other's state the buckets are
 * compared. What arrives is always rebuilt into the sender's exact state before it is merged.
 */
import {
  addressOf,
  apply,
  bucketDigests,
  bucketPatch,
  type Digest,
  diff,
  f,
  type NodeKey,
  noteSeen,
  type Patch,
  receive,
  Seen,
  type State,
} from '@rollcall/convergence';
import { accepts } from './acceptance.js';
import { assert } from './assert.js';
import { commit } from './commit.js';
import type { Message, SeenBits, Status } from './message.js';
import type { Node } from './node.js';
import type { Peer } from './peer.js';

/** A peer that seems behind right after it was told is given this long before it is told again. */
const RETELL_MS = 200;

/** Strangers are no reason to ask around more often than this. */
const ASK_AROUND_MS = 50;

const bitsOf = (seen: Seen): SeenBits => (seen.isAll ? 'all' : seen.bytes);

const seenOf = (state: State, bits: SeenBits): Seen | undefined =>
  bits === 'all' ? Seen.all(state) : Seen.fromBytes(state, bits);

/** What this node holds, for a heartbeat. Its state becomes a base that peers may build on. */
export function statusOf(node: Node): Status {
  const { state, seen } = member(node);
  remember(node, state);
  return { epoch: state.epoch, digest: state.digest, seen: bitsOf(seen) };
}

function member(node: Node): { state: State; seen: Seen } {
  assert(node.replica !== undefined, 'a member gossips');
  return node.replica;
}

/** Keeps a state that this node's own contains, so that a peer who holds it can be sent the difference. */
export function remember(node: Node, state: State): void {
  node.history.delete(state.digest);
  node.history.set(state.digest, state);
  if (node.history.size <= node.settings.limits.history) return;
  const oldest = node.history.keys().next().value;
  if (oldest !== undefined) node.history.delete(oldest);
}

/** Something changed: whoever should know is told when the batch window closes. */
export function scheduleFlush(node: Node, nowMs: number): void {
  node.armBy('flush', nowMs, nowMs + node.settings.gossip.batchWindow);
}

/** The batch window has closed. */
export function onFlush(node: Node, nowMs: number): void {
  if (!node.isMember) return;
  for (const peer of audience(node)) bringUpToDate(node, peer, nowMs);
}

function* audience(node: Node): Iterable<Peer> {
  const keys = new Set([...node.observed, ...node.guests.keys()]);
  for (const peer of node.peers.values()) {
    if (!peer.linked || !(peer.owed || keys.has(peer.key)) || !node.isLiveHere(peer.key)) continue;
    yield peer;
  }
}

/** Sends a peer what it is not known to hold: the difference, or who else has seen this state, or nothing. */
export function bringUpToDate(node: Node, peer: Peer, nowMs: number): void {
  const { state, seen } = member(node);
  peer.owed = false;
  if (peer.holds === state.digest) {
    if (peer.seen?.covers(seen) ?? false) return;
    node.send(peer.key, { kind: 'status', status: statusOf(node), want: false }, 'gossip');
    peer.seen = seen;
    return;
  }
  const wasToldNow = peer.told === state.digest && nowMs - peer.toldAtMs < RETELL_MS;
  if (wasToldNow) return;
  const base = baseFor(node, peer);
  if (base === undefined || follows(node, base, state)) {
    node.send(peer.key, { kind: 'status', status: statusOf(node), want: false }, 'gossip');
  } else {
    remember(node, state);
    node.send(peer.key, { kind: 'patch', patch: diff(base, state), seen: bitsOf(seen) }, 'gossip');
  }
  peer.told = state.digest;
  peer.toldAtMs = nowMs;
  peer.holds = state.digest;
  peer.seen = seen;
}

function baseFor(node: Node, peer: Peer): State | undefined {
  return peer.holds === undefined ? undefined : node.history.get(peer.holds);
}

/** A peer that holds the state before an agreed change computes the change by itself. */
function follows(node: Node, base: State, state: State): boolean {
  return base.epoch + 1 === state.epoch && f(base, node.rules)?.digest === state.digest;
}

export function onStatus(
  node: Node,
  from: NodeKey,
  status: Status,
  want: boolean,
  nowMs: number,
): void {
  const peer = node.peer(from);
  const { state } = member(node);
  peer.reported = status.digest;
  if (status.digest === state.digest) return takeSeen(node, peer, status, want, nowMs);
  peer.holds = status.digest;
  peer.seen = undefined;
  if (want) {
    peer.told = undefined;
    if (node.history.has(status.digest)) return bringUpToDate(node, peer, nowMs);
    return offerBuckets(node, from);
  }
  if (node.history.has(status.digest)) {
    peer.owed = true;
    return scheduleFlush(node, nowMs);
  }
  const next = status.epoch === state.epoch + 1 ? f(state, node.rules) : null;
  const nextSeen = next?.digest === status.digest ? seenOf(next, status.seen) : undefined;
  if (next !== null && nextSeen !== undefined) return take(node, from, next, nextSeen, nowMs);
  askForDifference(node, peer, nowMs);
}

function takeSeen(node: Node, peer: Peer, status: Status, want: boolean, nowMs: number): void {
  const { replica } = node;
  if (replica === undefined) return;
  const theirs = seenOf(replica.state, status.seen);
  if (theirs === undefined)
    return complain(node, peer.key, 'a seen bitmap that does not fit its digest');
  const known =
    peer.holds === status.digest && peer.seen !== undefined ? peer.seen.union(theirs) : theirs;
  peer.holds = status.digest;
  peer.seen = known;
  commit(
    node,
    noteSeen(replica, status.digest, theirs),
    `${verb(node, 'seen')} by ${addressOf(peer.key)}`,
  );
  if (want || !known.covers(replica.seen)) {
    peer.owed = true;
    scheduleFlush(node, nowMs);
  }
}

/** The first gossip of somebody who lists this node is what lets it in. */
const verb = (node: Node, word: string): string =>
  node.replica?.phase === 'introducing' ? 'let in' : word;

/** It claims for nobody to have seen it: whoever says it has no vote any more. */
export function finalWord(base: State | null, state: State): Message {
  const seen = new Uint8Array((state.electorateKeys.length + 7) >> 3);
  return { kind: 'patch', patch: diff(base, state), seen };
}

function askForDifference(node: Node, peer: Peer, nowMs: number): void {
  if (nowMs - peer.wantedAtMs < RETELL_MS) return;
  peer.wantedAtMs = nowMs;
  node.send(peer.key, { kind: 'status', status: statusOf(node), want: true }, 'gossip');
}

/** This node may be behind: those it observes are shown what it holds, and send what it lacks. */
export function askAround(node: Node, nowMs: number): void {
  node.sawStranger = false;
  if (!node.isMember || nowMs - node.askedAroundAtMs < ASK_AROUND_MS) return;
  node.askedAroundAtMs = nowMs;
  const status = statusOf(node);
  for (const key of node.observed)
    node.send(key, { kind: 'status', status, want: false }, 'gossip');
}

function offerBuckets(node: Node, to: NodeKey): void {
  const status = statusOf(node);
  node.send(to, { kind: 'buckets', status, buckets: bucketDigests(member(node).state) }, 'gossip');
}

/** Neither knows the other's state: answer with those of my buckets that differ. */
export function onBuckets(
  node: Node,
  from: NodeKey,
  message: Extract<Message, { kind: 'buckets' }>,
  nowMs: number,
): void {
  if (!accepts(node, from, null, message.status.epoch, nowMs)) return;
  const { state, seen } = member(node);
  const patch = bucketPatch(message.status.digest, message.buckets, state);
  if (patch === undefined) return complain(node, from, 'buckets of another number');
  remember(node, state);
  const peer = node.peer(from);
  node.send(from, { kind: 'patch', patch, seen: bitsOf(seen) }, 'gossip');
  peer.told = state.digest;
  peer.toldAtMs = nowMs;
  peer.holds = state.digest;
  peer.seen = seen;
}

export function onPatch(
  node: Node,
  from: NodeKey,
  message: Extract<Message, { kind: 'patch' }>,
  nowMs: number,
): void {
  if (!accepts(node, from, null, message.patch.epoch, nowMs)) return;
  const theirs = rebuild(node, message.patch);
  if (theirs === undefined) return askForDifference(node, node.peer(from), nowMs);
  const seen = seenOf(theirs, message.seen);
  if (seen === undefined) return complain(node, from, 'a seen bitmap that does not fit its state');
  if (accepts(node, from, theirs, theirs.epoch, nowMs)) take(node, from, theirs, seen, nowMs);
}

/** The sender's exact state; undefined if it builds on one that is not known here. */
export function rebuild(node: Node, patch: Patch): State | undefined {
  const base = patch.base === null ? null : known(node, patch.base);
  if (base === undefined) return undefined;
  // News comes from several neighbours, and from most of them it is none any more.
  return known(node, patch.digest) ?? apply(base, patch);
}

const known = (node: Node, digest: Digest): State | undefined =>
  node.history.get(digest) ?? (node.replica?.state.digest === digest ? node.state : undefined);

/** Merges an exact state of a live member. */
function take(node: Node, from: NodeKey, theirs: State, seen: Seen, nowMs: number): void {
  const { replica } = node;
  if (replica === undefined) return;
  remember(node, theirs);
  const peer = node.peer(from);
  peer.holds = theirs.digest;
  peer.reported = theirs.digest;
  peer.seen = seen;
  peer.wantedAtMs = Number.NEGATIVE_INFINITY;
  commit(node, receive(replica, theirs, seen), `${verb(node, 'told')} by ${addressOf(from)}`);
  if (node.state.digest !== theirs.digest || !seen.covers(member(node).seen)) {
    peer.owed = true;
    scheduleFlush(node, nowMs);
  }
}

/** Logged at the first, tenth, hundredth … time per peer: a broken peer must not fill the log. */
function complain(node: Node, from: NodeKey, what: string): void {
  const count = ++node.peer(from).complaints;
  if (!Number.isInteger(Math.log10(count))) return;
  node.log('warn', `ignored a frame from ${addressOf(from)}: it carries ${what}`, {
    node: from,
    count,
  });
}
