/**
 * The end of every step: what follows from a changed replica. Agreed transitions are applied to a
 * fixpoint, whom to observe and which links to keep is drawn anew, subscribers and neighbours are
 * told. This is where "no leader" happens: every member that observes convergence does the same.
 */
import { type Replica, Seen, type State, settle, setWeaklyUp } from '@rollcall/convergence';
import { admitHeld } from './admission.js';
import { assert } from './assert.js';
import { commit } from './commit.js';
import { watchDowning } from './downing.js';
import { askAround, scheduleFlush } from './gossip.js';
import { becameMember } from './join.js';
import { finishLeaving } from './leave.js';
import { adjustLinks } from './links.js';
import type { Node } from './node.js';
import { observe } from './observation.js';
import { noteAccused } from './own-health.js';
import { publish } from './publish.js';
import { publishRow } from './row.js';
import { watchMembers } from './swim-evidence.js';

/** A step settles in a few rounds; more would mean two rules that undo each other. */
const ROUNDS_MAX = 32;

export function conclude(node: Node, nowMs: number): void {
  for (let round = 0; node.changes.length > 0 || node.haveOwnNews; round++) {
    assert(round < ROUNDS_MAX, 'a step comes to rest');
    const changes = node.changes;
    node.changes = [];
    node.haveOwnNews = false;
    publish(node, changes);
    if (node.replica === undefined) break;
    followUp(node, nowMs);
    if (node.ended !== undefined) return;
  }
  if (node.sawStranger) askAround(node, nowMs);
  if (node.haveNeedsChanged || node.attempt !== undefined) adjustLinks(node);
}

function followUp(node: Node, nowMs: number): void {
  const { replica } = node;
  if (replica === undefined) return;
  const settled = settle(replica, node.rules);
  node.replica = settled.replica;
  for (const state of settled.fired) {
    node.joiningSinceMs = undefined;
    tellRemoved(node, state);
    node.changes.push({
      replica: at(settled.replica, state),
      why: `agreed at epoch ${state.epoch}`,
    });
  }
  if (settled.replica.phase === 'stopped') {
    return node.stop('removed', 'removed: the cluster marked this node down');
  }
  if (!node.isMember) return;
  becameMember(node, nowMs);
  node.sizeMax = Math.max(node.sizeMax, node.state.size);
  observe(node, nowMs);
  watchMembers(node, nowMs);
  noteAccused(node, nowMs);
  if (isFateUnclear(node)) publishRow(node, nowMs, 'what this node can reach has changed');
  weaklyUp(node);
  admitHeld(node, nowMs);
  watchDowning(node, nowMs);
  finishLeaving(node, nowMs);
  scheduleFlush(node, nowMs);
}

/** Those who have left wait to hear of it, and those who were downed should. */
function tellRemoved(node: Node, { removed, epoch }: State): void {
  for (const key of removed) {
    if (node.peers.get(key)?.linked) node.send(key, { kind: 'notMember', removed: true, epoch });
  }
}

/** The replica as it was when it had just fired its way to `state`. */
const at = (replica: Replica, state: State): Replica =>
  state === replica.state ? replica : { ...replica, state, seen: Seen.only(state, replica.self) };

/** While somebody is unreachable nobody can be promoted, but those who wait may say that they are here. */
function weaklyUp(node: Node): void {
  if (node.replica !== undefined)
    commit(node, setWeaklyUp(node.replica, node.rules), 'here while somebody is unreachable');
}

/** Rows of others take part in reach, so a node may be cut off, or in contact again, by their news. */
const isFateUnclear = (node: Node): boolean =>
  node.verdicts.size > 0 || node.accusations.pairs.length > 0 || node.me?.row.cutOff === true;
