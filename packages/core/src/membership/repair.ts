/**
 * Looking beyond the neighbours, at a slow rate and for ever: one random far member, so that parts of
 * the overlay that drifted apart compare digests; and the seeds, so that a split that healed, or
 * another cluster of this name, is noticed without anybody restarting anything.
 */
import { addressOf, compareKeys, type NodeKey } from '@rollcall/convergence';
import { forgetCorrespondents } from './correspondence.js';
import { statusOf } from './gossip.js';
import type { ResolvedSeed } from './input.js';
import { startOver } from './join.js';
import type { Standing } from './message.js';
import type { Node } from './node.js';
import { isLoner, standing } from './standing.js';

const ISLANDS_KEPT = 64;
/**
 * Who misses nobody asks its seeds this many times less often. Not never: two clusters that were founded
 * apart, and are complete each, can only meet at a seed that is no member of the other.
 */
const CALM = 10;

export function onRepairDue(node: Node, nowMs: number): void {
  if (!node.isMember) return;
  node.arm('repair', nowMs, node.settings.gossip.farInterval);
  lookFar(node);
  forgetCorrespondents(node, nowMs);
  node.haveNeedsChanged = true;
  const isMissing =
    node.state.electorateKeys.length < node.sizeMax ||
    node.accusations.accused.size > 0 ||
    isLoner(node);
  const everyMs = node.settings.join.recheckSeeds * (isMissing ? 1 : CALM);
  node.seedLinks = [];
  if (nowMs - node.seedsCheckedAtMs < everyMs) return;
  node.seedsCheckedAtMs = nowMs;
  node.out.push({ kind: 'resolve', seeds: node.options.seeds });
}

/** A far member that is linked already is shown what this node holds; another one is on link-up. */
function lookFar(node: Node): void {
  const key = pickFar(node);
  node.far = key === undefined ? undefined : addressOf(key);
  if (key === undefined || !node.peers.get(key)?.linked) return;
  node.send(key, { kind: 'status', status: statusOf(node), want: false }, 'gossip');
}

function pickFar(node: Node): NodeKey | undefined {
  const { accused } = node.accusations;
  const near = new Set(node.observed);
  const far = node.state.electorate.filter(
    ({ key }) => key !== node.self && !near.has(key) && !accused.has(key),
  );
  return far[Math.floor(node.random.next() * far.length)]?.key;
}

/** It has served: the other end need not keep a link that it does not want, and this one is not dialled again. */
export function farLinkIsGone(node: Node, key: NodeKey): void {
  if (node.far !== addressOf(key)) return;
  node.far = undefined;
  node.haveNeedsChanged = true;
}

/** The seeds that are no live members here are asked where they stand: at the address of one that is down another run may answer. */
export function onSeedsResolved(node: Node, seeds: readonly ResolvedSeed[]): void {
  if (!node.isMember) return;
  const members = new Set(node.state.electorateKeys.map(addressOf));
  const addresses = new Set(seeds.flatMap((seed) => seed.addresses));
  node.haveNeedsChanged = true;
  node.seedLinks = [...addresses].filter((address) => !members.has(address)).sort();
  for (const peer of node.peers.values())
    if (peer.linked && node.seedLinks.includes(peer.address)) greetStranger(node, peer.key);
}

/** A linked node that is no member here may be in another cluster of this name. */
export function greetStranger(node: Node, key: NodeKey): void {
  node.send(key, { kind: 'seedAsk', standing: standing(node) });
}

/**
 * A node of this cluster's name is in another cluster. One that founded and never had a second member
 * gives way, the higher address of two such; anything larger is reported and never merged.
 */
export function meetIsland(node: Node, from: NodeKey, theirs: Standing, nowMs: number): void {
  if (!node.isMember || theirs.clusterId === undefined || theirs.clusterId === node.state.clusterId)
    return;
  if (isLoner(node)) {
    const theyYield = theirs.loner && compareKeys(from, node.self) > 0;
    if (!theyYield) giveWay(node, from, theirs, nowMs);
    return;
  }
  if (theirs.loner || node.islands.has(theirs.clusterId)) return;
  if (!node.islandsTold.take(nowMs)) return;
  if (node.islands.size >= ISLANDS_KEPT) node.islands.clear();
  node.islands.set(theirs.clusterId, nowMs);
  const ours = node.state.members.map((member) => member.key);
  node.out.push({
    kind: 'emit',
    event: { type: 'islandDetected', via: from, theirs: theirs.acceptors, ours, state: node.view },
  });
  // It may have told this node without having been asked, and be missing nobody: then it will never ask.
  node.send(from, { kind: 'seedAnswer', standing: standing(node) });
}

/** Joins the cluster that it met, through those who told of it: none of its own seeds need be there. */
function giveWay(node: Node, from: NodeKey, theirs: Standing, nowMs: number): void {
  startOver(node, nowMs, `${addressOf(from)} is in a cluster of this name already`);
  const { attempt } = node;
  if (attempt === undefined) return;
  attempt.met = [from, ...theirs.acceptors].map(addressOf);
  for (const address of attempt.met) attempt.addresses.add(address);
  attempt.foundNotBeforeMs = nowMs + node.settings.join.seedTimeout;
}
