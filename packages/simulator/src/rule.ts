/**
 * Faults. A fault is a rule, a rule gives a verdict on one packet, and nothing else in the simulator
 * knows about faults: taking a rule out heals what it broke. Of several rules, one `drop` is
 * enough, delays add up, and each `duplicate` adds a copy.
 */
import type { Random } from '@rollcall/core';

/** What a rule may know about a packet. */
export interface PacketFacts {
  /** Names of the nodes at both ends. */
  readonly from: string;
  readonly to: string;
  readonly kind: PacketKind;
  readonly sizeBytes: number;
  readonly sentAtMs: number;
}

/**
 * `frame` and `message` are what nodes say on an open link; `dial` and `answer` open one, `close`
 * ends it (a FIN or a reset). A `datagram` goes beside the links.
 */
export type PacketKind = 'dial' | 'answer' | 'frame' | 'message' | 'close' | 'datagram';

export type Verdict =
  | 'pass'
  | 'drop'
  /** Later by so much. What follows on the same link waits behind it, unless it may be overtaken. */
  | { readonly kind: 'delay'; readonly delayMs: number; readonly mayBeOvertaken: boolean }
  /** Once more, so much later than the first. */
  | { readonly kind: 'duplicate'; readonly afterMs: number };

export type Rule = (packet: PacketFacts, random: Random) => Verdict;

/** Milliseconds: always the same, or drawn for each packet. */
export type Distribution = number | ((random: Random) => number);

/** Anything between two bounds, each as likely. */
export const uniform =
  (minMs: number, maxMs: number): Distribution =>
  (random) =>
    minMs + (maxMs - minMs) * random.next();

/** Two in three within the first 1 % of the span, a few far out, none beyond `worstMs`. */
export const longTail =
  (usualMs: number, worstMs: number): Distribution =>
  (random) => {
    // Products only: Math.pow and Math.log may differ in the last digit between Node versions.
    const product = random.next() * random.next();
    const square = product * product;
    return usualMs + (worstMs - usualMs) * square * square;
  };

/** Draws from a distribution. */
export const sample = (distribution: Distribution, random: Random): number =>
  typeof distribution === 'number' ? distribution : distribution(random);

/** Every packet takes so much longer. Links keep their order, as TCP does. */
export function latency(distribution: Distribution): Rule {
  const later = (delayMs: number): Verdict => ({ kind: 'delay', delayMs, mayBeOvertaken: false });
  if (typeof distribution !== 'number') return (_, random) => later(distribution(random));
  const always = later(distribution);
  return () => always;
}

/** The datagram model of loss: each frame is lost by itself, and nothing sends it again. Dialling is spared. */
export function loss(probability: number): Rule {
  return (packet, random) => (isSaid(packet) && random.next() < probability ? 'drop' : 'pass');
}

/**
 * TCP's model of loss: nothing but datagrams is lost. A lost segment is sent again after `retransmitMs`, then
 * after twice that, and so on; all behind it on the link waits.
 */
export function segmentLoss(probability: number, retransmitMs = 200): Rule {
  return ({ kind }, random) => {
    if (kind === 'datagram') return random.next() < probability ? 'drop' : 'pass';
    let delayMs = 0;
    for (let wait = retransmitMs; random.next() < probability && wait < 120_000; wait *= 2) {
      delayMs += wait;
    }
    return delayMs === 0 ? 'pass' : { kind: 'delay', delayMs, mayBeOvertaken: false };
  };
}

/** A frame arrives twice, the second time up to `spreadMs` later. */
export function duplicate(probability: number, spreadMs = 20): Rule {
  return (packet, random) =>
    isSaid(packet) && random.next() < probability
      ? { kind: 'duplicate', afterMs: spreadMs * random.next() }
      : 'pass';
}

/** A frame is held back up to `spreadMs` while later ones overtake it. */
export function reorder(probability: number, spreadMs: number): Rule {
  return (packet, random) =>
    isSaid(packet) && random.next() < probability
      ? { kind: 'delay', delayMs: spreadMs * random.next(), mayBeOvertaken: true }
      : 'pass';
}

/** Nothing gets from `from` to `to`; the other way is open. */
export function cut(from: string, to: string): Rule {
  return (packet) => (packet.from === from && packet.to === to ? 'drop' : 'pass');
}

/** Nothing gets from one group into another. Nodes in none of them form one more group. */
export function partition(...groups: readonly (readonly string[])[]): Rule {
  const groupOf = new Map(groups.flatMap((names, group) => names.map((name) => [name, group])));
  return ({ from, to }) => (groupOf.get(from) === groupOf.get(to) ? 'pass' : 'drop');
}

/** Nothing gets from this node to another, or back. */
export function isolate(name: string): Rule {
  return ({ from, to }) => ((from === name) !== (to === name) ? 'drop' : 'pass');
}

/** The rule, for packets into or out of these nodes only. */
export function around(names: readonly string[], rule: Rule): Rule {
  const concerned = new Set(names);
  return (packet, random) =>
    concerned.has(packet.from) || concerned.has(packet.to) ? rule(packet, random) : 'pass';
}

/** The rule, on for a period and off for one, in turn. */
export function flipFlop(periodMs: number, rule: Rule): Rule {
  return (packet, random) =>
    Math.floor(packet.sentAtMs / periodMs) % 2 === 0 ? rule(packet, random) : 'pass';
}

const isSaid = (packet: PacketFacts): boolean =>
  packet.kind === 'frame' || packet.kind === 'message' || packet.kind === 'datagram';
