/**
 * Whose gossip is taken, and what everybody else is told. Only members that are live here are heard;
 * those that are down, removed or unknown get a notice, which is how a node learns its fate
 * (docs/PROTOCOL.md, "Receiving").
 */
import { addressOf, heedsNotice, judge, type NodeKey, type State } from '@rollcall/convergence';
import type { Message } from './message.js';
import type { Node } from './node.js';

/** True if what `from` sent, from a state `theirs` (null when only its epoch is known), is to be used. */
export function accepts(
  node: Node,
  from: NodeKey,
  theirs: State | null,
  epoch: number,
  nowMs: number,
): boolean {
  const { replica } = node;
  if (replica === undefined) return false;
  const verdict = judge(replica, from, theirs, epoch);
  // An introducing node is passive: it listens to its acceptor alone, and tells nobody anything.
  if (replica.phase === 'introducing')
    return from === node.attempt?.asked?.acceptor && verdict === 'merge';
  if (replica.phase !== 'member') return false;
  if (verdict === 'merge') {
    node.peer(from).lastHeardMs = nowMs;
    return true;
  }
  if (verdict === 'unknown' && epoch >= replica.state.epoch) node.sawStranger = true;
  if (verdict === 'unknown' || verdict === 'removed')
    notify(node, from, verdict === 'removed', nowMs);
  else if (node.state.get(from)?.status === 'Exited') noteExit(node, from, nowMs);
  return false;
}

/** Tells a sender that it is no member here, at most once per interval. */
function notify(node: Node, to: NodeKey, removed: boolean, nowMs: number): void {
  if (!isDue(node, to, nowMs)) return;
  node.send(to, { kind: 'notMember', removed, epoch: node.state.epoch });
}

/** An exited member may stop once its testimony is safe elsewhere. */
function noteExit(node: Node, to: NodeKey, nowMs: number): void {
  if (isDue(node, to, nowMs)) node.send(to, { kind: 'exitNoted' });
}

function isDue(node: Node, to: NodeKey, nowMs: number): boolean {
  const peer = node.peer(to);
  if (nowMs - peer.noticedAtMs < Math.min(100, node.settings.heartbeat.interval)) return false;
  peer.noticedAtMs = nowMs;
  return true;
}

/** A member says that this node is none. */
export function onNotMember(
  node: Node,
  from: NodeKey,
  notice: Extract<Message, { kind: 'notMember' }>,
): void {
  const { replica } = node;
  if (replica === undefined || !heedsNotice(replica, from, notice.removed, notice.epoch)) return;
  if (replica.phase === 'exited')
    return node.stop('left', 'left the cluster: the others have confirmed it');
  node.stop('removed', `removed by the others: ${addressOf(from)} says so (epoch ${notice.epoch})`);
}
