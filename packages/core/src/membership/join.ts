/**
 * The joiner's half: finding a cluster among the seeds, founding one when there is none, asking one
 * member to let it in and introducing itself. An introduction that came to nothing is never repeated
 * under the same uid (X12).
 */
import {
  addressOf,
  apply,
  compareKeys,
  diff,
  introduce,
  type NodeKey,
  replicaOf,
  State,
} from '@rollcall/convergence';
import { commit } from './commit.js';
import { remember } from './gossip.js';
import type { Refusal } from './hello.js';
import type { ResolvedSeed } from './input.js';
import { JoinAttempt } from './join-attempt.js';
import type { Message, Standing } from './message.js';
import type { Node } from './node.js';
import { armTick } from './pause.js';
import { publishLost } from './publish.js';
import { firstSeedAddresses, standing } from './standing.js';

/** How often seeds are asked while this node looks for a cluster. */
const ASK_MS = 500;

export function startJoining(node: Node, nowMs: number): void {
  node.attempt = new JoinAttempt(nowMs);
  node.out.push({ kind: 'resolve', seeds: node.options.seeds });
  node.arm('join', nowMs, ASK_MS);
}

/** Starts over under a new uid; the clock of `join.giveUpAfter` runs on. */
export function startOver(node: Node, nowMs: number, why: string): void {
  const { startedMs, stalledToldAtMs } = node.attempt ?? new JoinAttempt(nowMs);
  node.log('info', `joining anew: ${why}`);
  publishLost(node);
  node.rebirth();
  startJoining(node, nowMs);
  if (node.attempt !== undefined) Object.assign(node.attempt, { startedMs, stalledToldAtMs });
}

export function onResolved(node: Node, seeds: readonly ResolvedSeed[], nowMs: number): void {
  const { attempt } = node;
  if (attempt === undefined) return;
  attempt.seeds = seeds;
  for (const { seed, addresses, problem } of seeds) {
    if (problem !== undefined) attempt.failures.set(seed, problem);
    for (const address of addresses) {
      if (address === node.options.address) continue;
      attempt.seedAddresses.add(address);
      attempt.addresses.add(address);
    }
  }
  considerNext(node, nowMs);
}

/** Somebody is reached: ask where it stands. */
export function onContact(node: Node, peer: NodeKey, dialled: string | undefined): void {
  const { attempt } = node;
  if (attempt === undefined) return;
  if (dialled !== undefined) {
    attempt.reached.set(dialled, peer);
    attempt.failures.delete(dialled);
    attempt.refusals.delete(dialled);
  }
  node.send(peer, { kind: 'seedAsk', standing: standing(node) });
}

/** It is gone, and so is what it said; an introduction under way gets its answer over the next link, or not at all. */
export function onContactLost(node: Node, peer: NodeKey): void {
  const { attempt } = node;
  attempt?.answers.delete(peer);
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
  considerNext(node, nowMs);
}

/** The `join` timer: ask again those who are linked, drop an attempt that got no answer, give up in the end. */
export function onJoinDue(node: Node, nowMs: number): void {
  const { attempt } = node;
  if (attempt === undefined) return;
  const { giveUpAfter } = node.settings.join;
  if (nowMs - attempt.startedMs >= giveUpAfter) return giveUp(node, attempt);
  node.arm('join', nowMs, Math.min(ASK_MS, giveUpAfter - (nowMs - attempt.startedMs)));
  tellStalled(node, attempt, nowMs);
  if (attempt.asked !== undefined && nowMs >= attempt.asked.deadlineMs) {
    const { acceptor, kind } = attempt.asked;
    attempt.asked = undefined;
    attempt.answers.delete(acceptor);
    attempt.failures.set(
      addressOf(acceptor),
      `${addressOf(acceptor)} did not finish the ${kind} in time`,
    );
    if (kind === 'introduce')
      return startOver(node, nowMs, `${addressOf(acceptor)} did not confirm the introduction`);
  }
  for (const peer of node.peers.values()) {
    if (peer.linked) node.send(peer.key, { kind: 'seedAsk', standing: standing(node) });
  }
  considerNext(node, nowMs);
}

/** What follows from the answers so far: join somebody, found, give in to a refusal, or wait. */
function considerNext(node: Node, nowMs: number): void {
  const { attempt } = node;
  if (attempt?.seeds === undefined || attempt.asked !== undefined || node.replica !== undefined)
    return;
  if (nowMs < attempt.notBeforeMs) return;
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
  if (!firstSeedAddresses(node).includes(node.options.address)) return false;
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
    return (
      answered.has(address) ||
      reached === node.self ||
      (reached !== undefined && attempt.answers.has(reached))
    );
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

export function onWelcome(
  node: Node,
  from: NodeKey,
  message: Extract<Message, { kind: 'welcome' }>,
  nowMs: number,
): void {
  const asked = node.attempt?.asked;
  if (node.attempt === undefined || asked?.acceptor !== from) return;
  const isAgain = asked.kind === 'introduce';
  if (isAgain && (asked.token !== message.token || message.patch.epoch <= asked.welcome.epoch))
    return;
  const welcome = apply(null, message.patch);
  if (welcome === undefined || welcome.has(node.self)) return;
  const { roles, appVersion } = node.options;
  const deadlineMs = nowMs + node.settings.join.retryAfter;
  node.attempt.asked = {
    kind: 'introduce',
    acceptor: from,
    token: message.token,
    welcome,
    deadlineMs,
  };
  node.replica = introduce(welcome, { key: node.self, roles, appVersion });
  remember(node, node.replica.state);
  const patch = diff(welcome, node.replica.state);
  node.send(from, { kind: 'introduce', token: message.token, patch });
}

/**
 * After every change: has membership begun? Then heartbeats start at a random point of the interval,
 * so that nodes do not beat in step, and those who asked in vain learn that there is a cluster now.
 */
export function becameMember(node: Node, nowMs: number): void {
  const { attempt } = node;
  if (attempt === undefined || !node.isMember) return;
  node.attempt = undefined;
  node.lastListedMs = nowMs;
  armTick(node, nowMs, node.random.next() * node.settings.heartbeat.interval);
  node.arm('repair', nowMs, node.settings.gossip.farInterval);
  for (const key of attempt.answers.keys())
    node.send(key, { kind: 'seedAnswer', standing: standing(node) });
}

export function onJoinRetry(
  node: Node,
  from: NodeKey,
  retry: Extract<Message, { kind: 'joinRetry' }>,
  nowMs: number,
): void {
  const { attempt } = node;
  if (attempt?.asked?.acceptor !== from) return;
  const wasIntroducing = attempt.asked.kind === 'introduce';
  if (wasIntroducing || retry.freshUid)
    return startOver(node, nowMs, `${addressOf(from)} asks to try again`);
  attempt.asked = undefined;
  const afterMs = Math.min(retry.afterMs, node.settings.join.retryAfter);
  attempt.notBeforeMs = nowMs + afterMs;
  for (const address of retry.ask)
    if (attempt.addresses.size < 64 && address !== node.options.address)
      attempt.addresses.add(address);
  node.arm('join', nowMs, Math.max(afterMs, 1));
}

export function onJoinRefused(node: Node, from: NodeKey, refusal: Refusal, nowMs: number): void {
  const { attempt } = node;
  if (attempt?.asked?.acceptor !== from) return;
  attempt.asked = undefined;
  attempt.answers.delete(from);
  node.replica = undefined;
  onDialFailed(node, addressOf(from), refusal.message, refusal, nowMs);
  node.stop('refused', `could not join: refused by ${refusal.by}: ${refusal.message}`);
}

/** Joining, and nobody who lists this node has been heard for a whole attempt: its introduction was lost on the way. */
export function rejoinIfForgotten(node: Node, nowMs: number): void {
  const status = node.me?.status;
  if (status !== 'Joining' && status !== 'WeaklyUp') return;
  const heardMs = Math.max(
    node.lastListedMs,
    ...[...node.peers.values()].map((peer) => peer.lastHeardMs),
  );
  if (nowMs - heardMs >= node.settings.join.retryAfter)
    startOver(node, nowMs, 'nobody who lists this node answers');
}

function giveUp(node: Node, attempt: JoinAttempt): void {
  node.stop(
    'gaveUp',
    `could not join within join.giveUpAfter (${node.settings.join.giveUpAfter} ms): ${tried(node, attempt).join('; ')}`,
  );
}

function tellStalled(node: Node, attempt: JoinAttempt, nowMs: number): void {
  const everyMs = 2 * node.settings.join.seedTimeout;
  if (nowMs - attempt.stalledToldAtMs < everyMs) return;
  attempt.stalledToldAtMs = nowMs;
  node.out.push({
    kind: 'emit',
    event: { type: 'joinStalled', tried: tried(node, attempt), state: node.view },
  });
}

/** A sentence per seed: what was tried and what came of it. */
export function tried(node: Node, attempt: JoinAttempt): string[] {
  const problems = (attempt.seeds ?? []).flatMap((seed) =>
    seed.problem === undefined ? [] : [seed.problem],
  );
  const each = [...attempt.seedAddresses].sort().map((address) => {
    const reached = attempt.reached.get(address);
    const answer = reached === undefined ? undefined : attempt.answers.get(reached);
    if (answer?.clusterId !== undefined)
      return `${address} is in a cluster but did not let this node in yet`;
    if (answer !== undefined) return `${address} is in no cluster`;
    return (
      attempt.refusals.get(address)?.message ??
      attempt.failures.get(address) ??
      `${address} did not answer`
    );
  });
  const others = each.length === 0 && problems.length === 0 ? ['there is no other seed'] : [];
  const hint = firstSeedAddresses(node).includes(node.options.address)
    ? []
    : [`this node does not found: the first seed is ${node.options.seeds[0] ?? 'missing'}`];
  return [...problems, ...each, ...others, ...hint];
}
