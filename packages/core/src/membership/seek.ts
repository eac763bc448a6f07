/**
 * Looking for a cluster among the seeds: who answers what, whom to ask, and when the first seed founds
 * one because there is none.
 */
import { addressOf, compareKeys, type NodeKey, replicaOf, State } from '@rollcall/convergence';
import { commit } from './commit.js';
import type { Refusal } from './hello.js';
import type { ResolvedSeed } from './input.js';
import { JoinAttempt } from './join-attempt.js';
import type { Standing } from './message.js';
import type { Node } from './node.js';
import { hasCountedRole, isFirstSeed, isMine, standing } from './standing.js';

/** How often seeds are asked while this node looks for a cluster. */
export const ASK_MS = 500;

export function startSeeking(node: Node, nowMs: number): void {
  node.attempt = new JoinAttempt(nowMs);
  lookUpSeeds(node, node.attempt, nowMs);
  node.arm('join', nowMs, ASK_MS);
  if (node.options.isAdvertised !== true) return;
  node.attempt.isAskingSelf = true;
  node.out.push({ kind: 'probe', address: node.options.address });
}

/** Who answers at the own address: this node, nobody that can be reached from here, or somebody else. */
export function onSelfProbed(node: Node, found: NodeKey | undefined, nowMs: number): void {
  const { attempt } = node;
  if (attempt === undefined) return;
  attempt.isAskingSelf = false;
  if (found === undefined || found === node.self) return considerNext(node, nowMs);
  const message = `${addressOf(found)} is held by a run that is alive (${found}); give this node another address to advertise`;
  const refusal: Refusal = { code: 'addressInUse', message, by: addressOf(found) };
  node.out.push({ kind: 'emit', event: { type: 'joinRefused', refusal, state: node.view } });
  node.stop('refused', `could not join: refused by ${refusal.by}: ${message}`);
}

/** A name may stand for other machines by now, or for some at last. */
export function lookUpSeedsAgain(node: Node, attempt: JoinAttempt, nowMs: number): void {
  const isDue = nowMs - attempt.lookedUpAtMs >= node.settings.join.retryAfter;
  if (isDue && !attempt.isLookingUp) lookUpSeeds(node, attempt, nowMs);
}

function lookUpSeeds(node: Node, attempt: JoinAttempt, nowMs: number): void {
  attempt.lookedUpAtMs = nowMs;
  attempt.isLookingUp = true;
  node.out.push({ kind: 'resolve', seeds: node.options.seeds });
}

export function onResolved(node: Node, seeds: readonly ResolvedSeed[], nowMs: number): void {
  const { attempt } = node;
  if (attempt === undefined) return;
  attempt.isLookingUp = false;
  attempt.lookedUp(seeds, node.options.address);
  considerNext(node, nowMs);
}

/** Somebody is reached: ask where it stands. */
export function onContact(
  node: Node,
  peer: NodeKey,
  dialled: string | undefined,
  nowMs: number,
): void {
  const { attempt } = node;
  if (attempt === undefined) return;
  attempt.heardAtMs.set(peer, nowMs);
  if (dialled !== undefined) {
    attempt.reached.set(dialled, peer);
    attempt.failures.delete(dialled);
    attempt.refusals.delete(dialled);
  }
  node.send(peer, { kind: 'seedAsk', standing: standing(node) });
}

/** An address leads to somebody who is linked already, or to this node itself. */
export function onLeadsTo(node: Node, address: string, peer: NodeKey, nowMs: number): void {
  node.attempt?.reached.set(address, peer);
  node.attempt?.failures.delete(address);
  considerNext(node, nowMs);
}

/** It is gone, and so is what it said; an introduction under way gets its answer over the next link, or not at all. */
export function onContactLost(node: Node, peer: NodeKey): void {
  const { attempt } = node;
  attempt?.answers.delete(peer);
  attempt?.heardAtMs.delete(peer);
  if (attempt?.asked?.kind === 'join' && attempt.asked.acceptor === peer) attempt.asked = undefined;
}

export function onDialFailed(
  node: Node,
  address: string,
  reason: string,
  refusal: Refusal | undefined,
  nowMs: number,
): void {
  const { attempt } = node;
  if (attempt === undefined) return;
  if (refusal === undefined) {
    attempt.failures.set(address, reason);
    return;
  }
  const isNews = !attempt.refusals.has(address);
  attempt.refusals.set(address, refusal);
  if (isNews)
    node.out.push({ kind: 'emit', event: { type: 'joinRefused', refusal, state: node.view } });
  considerNext(node, nowMs);
}

export function onSeedAnswer(node: Node, from: NodeKey, answer: Standing, nowMs: number): void {
  const { attempt } = node;
  if (attempt === undefined) return;
  for (const [key] of attempt.answers) {
    if (addressOf(key) === addressOf(from) && key !== from) attempt.answers.delete(key);
  }
  attempt.answers.set(from, answer);
  attempt.heardAtMs.set(from, nowMs);
  considerNext(node, nowMs);
}

/** What follows from the answers so far: join somebody, found, give in to a refusal, or wait. */
export function considerNext(node: Node, nowMs: number): void {
  const { attempt } = node;
  if (attempt?.seeds === undefined || attempt.asked !== undefined || node.replica !== undefined)
    return;
  if (nowMs < attempt.notBeforeMs || attempt.isAskingSelf) return;
  const inCluster = [...attempt.answers].filter(([, answer]) => answer.clusterId !== undefined);
  if (inCluster.length > 0) return askSomebody(node, attempt, inCluster, nowMs);
  if (isRefused(node, attempt, nowMs)) return;
  if (mayFound(node, attempt, nowMs)) found(node);
}

function askSomebody(
  node: Node,
  attempt: JoinAttempt,
  inCluster: readonly (readonly [NodeKey, Standing])[],
  nowMs: number,
): void {
  const willing = inCluster
    .filter(([key, answer]) => answer.acceptors.includes(key))
    .map(([key]) => key);
  const linked = willing.filter((key) => node.peers.get(key)?.linked).sort(compareKeys);
  const acceptor = linked[Math.floor(node.random.next() * linked.length)];
  if (acceptor === undefined) {
    for (const [, answer] of inCluster) {
      for (const key of answer.acceptors)
        if (attempt.addresses.size < 64) attempt.addresses.add(addressOf(key));
    }
    return;
  }
  attempt.asked = { kind: 'join', acceptor, deadlineMs: nowMs + node.settings.join.retryAfter };
  node.send(acceptor, {
    kind: 'join',
    roles: node.options.roles,
    appVersion: node.options.appVersion,
  });
}

/** A refusal ends the attempt once no other seed can still say yes. */
function isRefused(node: Node, attempt: JoinAttempt, nowMs: number): boolean {
  const [refusal] = attempt.refusals.values();
  if (refusal === undefined) return false;
  const isOpen = (address: string) => !attempt.refusals.has(address);
  const mayStillAnswer =
    [...attempt.seedAddresses].some(isOpen) &&
    nowMs - attempt.startedMs < node.settings.join.seedTimeout;
  if (!mayStillAnswer)
    node.stop('refused', `could not join: refused by ${refusal.by}: ${refusal.message}`);
  return true;
}

/**
 * The first-listed seed founds when every other one said that it is in no cluster, or when the seed
 * time-out has passed. Among several that list themselves first, the lowest address founds.
 */
function mayFound(node: Node, attempt: JoinAttempt, nowMs: number): boolean {
  if (!isFirstSeed(node) || !hasCountedRole(node)) return false;
  if (nowMs < attempt.foundNotBeforeMs) return false;
  if (
    attempt.seeds?.some((seed) => seed.problem !== undefined) &&
    nowMs - attempt.startedMs < node.settings.join.seedTimeout
  ) {
    return false;
  }
  const lowerFirst = [...attempt.answers].some(
    ([key, answer]) => answer.first && compareKeys(key, node.self) < 0,
  );
  if (lowerFirst) return false;
  const answered = new Set([...attempt.answers.keys()].map(addressOf));
  const isAnswered = (address: string) => {
    const reached = attempt.reached.get(address);
    const hasAnswered = reached !== undefined && attempt.answers.has(reached);
    return hasAnswered || answered.has(address) || isMine(node, address);
  };
  const allAnswered = [...attempt.seedAddresses].every(isAnswered);
  return allAnswered || nowMs - attempt.startedMs >= node.settings.join.seedTimeout;
}

function found(node: Node): void {
  const { roles, appVersion, name } = node.options;
  const state = State.found({ key: node.self, roles, appVersion });
  node.founded = true;
  commit(node, replicaOf(node.self, state), `founded cluster '${name}'`);
}
