/**
 * `detector.kind=swim`: SWIM in place of heartbeats as what verdicts are made of (`@rollcall/failure-detector`
 * has the protocol). This file gives members their numbers, carries packets as messages and runs the timer. Who is
 * dead by it is asked by `verdict.ts`, so nobody above knows the difference.
 */
import type { NodeKey } from '@rollcall/convergence';
import {
  SWIM_VARIANTS,
  type SwimDirective,
  type SwimInput,
  type SwimMemberId,
  type SwimOptions,
  type SwimPacket,
  swimOptions,
} from '@rollcall/failure-detector';
import { onWrite } from './correspondence.js';
import type { Message } from './message.js';
import type { Node } from './node.js';
import type { Settings } from './setting-table.js';
import { SwimWatch } from './swim-watch.js';

type SwimSaid = Extract<Message, { kind: 'swim' }>;

/** Packets to somebody without a link wait for it: a probe, its answer, some gossip. Of more the oldest go. */
const WAITING_EACH = 4;
const WAITING_FOR = 64;

export const isSwim = ({ detector }: Settings): boolean => detector.kind === 'swim';

function optionsOf({ detector }: Settings): SwimOptions {
  const { profile, variant } = detector;
  return variant === 'full' ? swimOptions(profile) : swimOptions(profile, SWIM_VARIANTS[variant]);
}

/** Brings those that SWIM watches in line with the live members. */
export function watchMembers(node: Node, nowMs: number): void {
  if (!isSwim(node.settings) || node.replica === undefined) return;
  const members = node.state.electorateKeys;
  node.swim ??= new SwimWatch(node.self, optionsOf(node.settings), node.random, nowMs);
  const watch = node.swim;
  if (watch.members === members) return;
  const now = new Set(members);
  const before = new Set(watch.members);
  watch.members = members;
  for (const key of before) if (!now.has(key) && key !== node.self) leave(node, watch, key, nowMs);
  for (const key of now) if (watch.idOf(key) === undefined) meet(node, watch, key, nowMs);
}

function meet(node: Node, watch: SwimWatch, key: NodeKey, nowMs: number): void {
  stepSwim(node, watch, { kind: 'meet', member: watch.enter(key) }, nowMs);
}

function leave(node: Node, watch: SwimWatch, key: NodeKey, nowMs: number): void {
  const id = watch.leave(key);
  if (id !== undefined) stepSwim(node, watch, { kind: 'forget', member: id }, nowMs);
}

/** Whatever is held about it is dropped; a verdict has to be earned by fresh silence. */
export function beginAnew(node: Node, key: NodeKey, nowMs: number): void {
  const watch = node.swim;
  if (watch?.idOf(key) === undefined) return;
  leave(node, watch, key, nowMs);
  meet(node, watch, key, nowMs);
}

export function isHeldDead(node: Node, key: NodeKey): boolean {
  const id = node.swim?.idOf(key);
  return id !== undefined && node.swim?.swim.statusOf(id) === 'dead';
}

/** Is there anybody whom SWIM does not hold dead? */
export const hasLiveOthers = (node: Node): boolean =>
  node.swim?.members.some((key) => key !== node.self && !isHeldDead(node, key)) ?? false;

/** A heartbeat came from somebody: one that is held dead is told so, for only it can say otherwise. */
export function onContactBeside(node: Node, key: NodeKey, nowMs: number): void {
  const id = node.swim?.idOf(key);
  if (node.swim !== undefined && id !== undefined && isHeldDead(node, key))
    stepSwim(node, node.swim, { kind: 'contact', member: id }, nowMs);
}

export function onSwimDue(node: Node, nowMs: number): void {
  if (node.swim !== undefined) stepSwim(node, node.swim, { kind: 'wake' }, nowMs);
}

/** A packet. Strangers are not heard, and news of strangers is none. */
export function onSwim(node: Node, from: NodeKey, said: SwimSaid, nowMs: number): void {
  const watch = node.swim;
  const id = watch?.idOf(from);
  if (watch === undefined || id === undefined || !node.isMember) return;
  const self = watch.idOf(node.self) as SwimMemberId;
  const target = said.target === undefined ? id : watch.idOf(said.target);
  if (target === undefined) return;
  const updates = said.updates.flatMap(({ subject, from: accuser, ...rest }) => {
    const about = watch.idOf(subject);
    // Whoever leaves says so in the state; here nobody can.
    return about === undefined || rest.status === 'left'
      ? []
      : [{ ...rest, subject: about, from: watch.idOf(accuser) ?? id }];
  });
  const { packet: kind, seq } = said;
  stepSwim(node, watch, { kind, from: id, to: self, seq, target, updates }, nowMs);
}

function stepSwim(node: Node, watch: SwimWatch, input: SwimInput, nowMs: number): void {
  // The answer is used again by the next step, and sending may lead to one.
  for (const directive of [...watch.swim.step(input, nowMs)]) obey(node, watch, directive, nowMs);
  node.arm('swim', nowMs, watch.swim.wakeAtMs - nowMs);
}

function obey(node: Node, watch: SwimWatch, directive: SwimDirective, nowMs: number): void {
  if (directive.kind === 'verdict') {
    node.haveSwimVerdicts = true;
    return;
  }
  const to = watch.keyOf(directive.to);
  const said = saidOf(watch, directive);
  if (to === undefined || said === undefined) return;
  if (node.peers.get(to)?.linked) return node.send(to, said);
  onWrite(node, to, nowMs);
  const waiting = watch.waiting.get(to) ?? [];
  watch.waiting.set(to, [...waiting, said].slice(-WAITING_EACH));
  const [oldest] = watch.waiting.keys();
  if (watch.waiting.size > WAITING_FOR && oldest !== undefined) watch.waiting.delete(oldest);
}

function saidOf(watch: SwimWatch, packet: SwimPacket): SwimSaid | undefined {
  const { kind, seq, from, target } = packet;
  const updates = packet.updates.flatMap(({ subject, from: accuser, ...rest }) => {
    const [about, by] = [watch.keyOf(subject), watch.keyOf(accuser)];
    return about === undefined ? [] : [{ ...rest, subject: about, from: by ?? about }];
  });
  if (target === from) return { kind: 'swim', packet: kind, seq, target: undefined, updates };
  const key = watch.keyOf(target);
  return key === undefined ? undefined : { kind: 'swim', packet: kind, seq, target: key, updates };
}

/** A link came up: what waited for it goes out. */
export function swimLinked(node: Node, key: NodeKey): void {
  const waiting = node.swim?.waiting.get(key);
  if (waiting === undefined) return;
  node.swim?.waiting.delete(key);
  for (const said of waiting) node.send(key, said);
}
