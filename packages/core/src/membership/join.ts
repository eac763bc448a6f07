/**
 * The joiner's half once a member is found: introducing itself, retries, and starting over. An
 * introduction that came to nothing is never repeated under the same uid (X12).
 */
import { addressOf, apply, diff, introduce, type NodeKey } from '@rollcall/convergence';
import { remember } from './gossip.js';
import { armTick } from './heartbeat.js';
import type { Refusal } from './hello.js';
import { JoinAttempt } from './join-attempt.js';
import { giveUp, tellStalled } from './join-report.js';
import type { Message } from './message.js';
import type { Node } from './node.js';
import { publishLost } from './publish.js';
import { ASK_MS, considerNext, lookUpSeedsAgain, onDialFailed, startSeeking } from './seek.js';
import { isFirstSeed, standing } from './standing.js';

/** Starts over under a new uid; the clock of `join.giveUpAfter` runs on. */
export function startOver(node: Node, nowMs: number, why: string): void {
  if (node.leaving !== undefined) return node.stop('left', 'left before it had joined');
  const { startedMs, stalledToldAtMs } = node.attempt ?? new JoinAttempt(nowMs);
  node.log('info', `joining anew: ${why}`);
  publishLost(node);
  node.rebirth();
  startSeeking(node, nowMs);
  if (node.attempt !== undefined) Object.assign(node.attempt, { startedMs, stalledToldAtMs });
}

/** The `join` timer: ask again those who are linked, drop an attempt that got no answer, give up in the end. */
export function onJoinDue(node: Node, nowMs: number): void {
  const { attempt } = node;
  if (attempt === undefined) return;
  const { giveUpAfter } = node.settings.join;
  if (nowMs - attempt.startedMs >= giveUpAfter) return giveUp(node, attempt);
  node.arm('join', nowMs, Math.min(ASK_MS, giveUpAfter - (nowMs - attempt.startedMs)));
  tellStalled(node, attempt, nowMs);
  lookUpSeedsAgain(node, attempt, nowMs);
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
  for (const peer of node.peers.values()) if (peer.linked) askAgain(node, attempt, peer.key, nowMs);
  considerNext(node, nowMs);
}

/**
 * Whoever is linked is asked where it stands, each time. One that says nothing to all of that may be well behind a
 * connection that is not: what was lost on it is sent again later and later, and all behind it waits. A new one does not.
 * Not for whoever may found: with the link it would forget that there is a cluster.
 */
function askAgain(node: Node, attempt: JoinAttempt, key: NodeKey, nowMs: number): void {
  const { settings } = node;
  const patienceMs = Math.max(settings.join.retryAfter, settings.limits.handshake);
  const silentMs = nowMs - (attempt.heardAtMs.get(key) ?? nowMs);
  if (silentMs < patienceMs || isFirstSeed(node))
    return node.send(key, { kind: 'seedAsk', standing: standing(node) });
  attempt.heardAtMs.delete(key);
  node.out.push({ kind: 'drop', peer: key, reason: 'silent' });
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
  node.haveNeedsChanged = true;
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
