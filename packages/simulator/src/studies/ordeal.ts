/**
 * The same trouble for every detector there is: baselines, SWIM and its descendants, and whole production
 * nodes. What is lost and who stands still when is a plain value; who was convicted of it is counted alike.
 */
import type { ClusterEvent } from '@rollcall/core';
import { SWIM_VARIANTS, type SwimVariant, swimOptions } from '@rollcall/failure-detector';
import { hostOf, nodeNames } from '../node-name.js';
import { around, flipFlop, loss, type Rule, segmentLoss } from '../rule.js';
import { type Baseline, baselineFleet } from './baselines/baselines.js';
import { ConvictionLog, type Convictions } from './conviction-log.js';
import type { LossOf } from './datagram-fleet.js';
import { ProductionFleet } from './production-fleet.js';
import { SwimFleet } from './swim-fleet.js';

/** `tcp`: a production node over links on which what is lost is sent again. */
export type Contestant = Baseline | SwimVariant | 'rollcall' | 'tcp';

/** With the names that tables give them. */
export const CONTESTANTS: readonly (readonly [Contestant, string])[] = [
  ['central', 'central checker'],
  ['all-to-all', 'all-to-all'],
  ['ring', 'ring'],
  ['counters', 'counter gossip'],
  ['swim', 'SWIM'],
  ['lifeguard', 'Lifeguard'],
  ['both', '+ both'],
  ['rollcall', 'Rollcall'],
  ['tcp', 'Rollcall, TCP'],
];

/** Where nothing is lost, both kinds of links are the same. */
export const LOSSLESS = CONTESTANTS.filter(([contestant]) => contestant !== 'tcp');

export const isProduction = (contestant: Contestant): contestant is 'rollcall' | 'tcp' =>
  contestant === 'rollcall' || contestant === 'tcp';

/** What is lost; moments are since nothing went wrong yet. */
export type Loss =
  | { readonly kind: 'none' }
  /** On every way between two nodes. */
  | { readonly kind: 'everywhere'; readonly share: number }
  /** To and from the last node alone. */
  | { readonly kind: 'aroundOne'; readonly share: number }
  /** All that is sent to the last node, for a period, and nothing for the next. */
  | { readonly kind: 'deafInTurns'; readonly periodMs: number }
  /** A share of all that is sent to the first node, which is the central checker, for a while. */
  | { readonly kind: 'firstHearsLess'; readonly share: number; readonly untilMs: number };

/** A node, by index, stands still. */
export interface Stall {
  readonly node: number;
  readonly atMs: number;
  readonly forMs: number;
}

export interface Ordeal {
  readonly seed: number;
  readonly nodes: number;
  readonly forMs: number;
  /** The last so many are faulty: what is told of them, or by them, is not counted against a detector. */
  readonly faulty: number;
  readonly loss: Loss;
  /** By time. */
  readonly stalls: readonly Stall[];
}

/** A node tells that it holds another one dead, or no longer does. */
export interface Opinion {
  readonly atMs: number;
  readonly observer: string;
  readonly subject: string;
  readonly isDead: boolean;
}

export interface Endured extends Convictions {
  /** How long it went on, after nothing had gone wrong for a while. */
  readonly enduredMs: number;
  readonly steps: number;
}

/** Nothing goes wrong before. */
const WARM_UP_MS = 15_000;

/** A run of production nodes, which takes long, ends early when so many healthy ones have been convicted. */
export const ENOUGH = 20;
const LOOK_EVERY_MS = 10_000;

/** @param hear gets every opinion of every node, in order */
export async function endure(
  contestant: Contestant,
  ordeal: Ordeal,
  hear?: (opinion: Opinion) => void,
): Promise<Endured> {
  if (isProduction(contestant)) return byProduction(contestant, ordeal, hear);
  const names = nodeNames(ordeal.nodes);
  const log = logOf(ordeal, names);
  const fleet = fleetOf(contestant, ordeal, (observer, { member, status }, nowMs) => {
    const [teller, subject] = [names[observer] as string, names[member] as string];
    if (status === 'dead') log.convict(teller, subject, nowMs, []);
    else if (status === 'alive') log.absolve(teller, subject, nowMs);
    else return;
    const atMs = nowMs - WARM_UP_MS;
    hear?.({ atMs, observer: teller, subject, isDead: status === 'dead' });
  });
  for (const { atMs, node, starts } of turns(ordeal.stalls)) {
    fleet.run(WARM_UP_MS + atMs);
    if (starts) fleet.pause(node);
    else fleet.resume(node);
  }
  const endMs = WARM_UP_MS + ordeal.forMs;
  fleet.run(endMs);
  const sum = log.sum(endMs, ordeal.nodes - ordeal.faulty);
  return { ...sum, enduredMs: ordeal.forMs, steps: fleet.steps };
}

/** memberlist's preset for a local network; what Rollcall has added to SWIM is off. */
function fleetOf(
  contestant: Baseline | SwimVariant,
  ordeal: Ordeal,
  onVerdict: (
    observer: number,
    verdict: { readonly member: number; readonly status: string },
    nowMs: number,
  ) => void,
) {
  const { seed, nodes } = ordeal;
  const options = { seed, nodes, loss: lossOf(ordeal), onVerdict };
  if (contestant in SWIM_VARIANTS) {
    const asMemberlist = { answerDead: false, recallDeadMs: 0, pauseGuardMs: 0 };
    const swim = swimOptions('lan', SWIM_VARIANTS[contestant as SwimVariant], asMemberlist);
    return new SwimFleet({ ...options, swim });
  }
  return baselineFleet({ ...options, baseline: contestant as Baseline });
}

async function byProduction(
  contestant: 'rollcall' | 'tcp',
  ordeal: Ordeal,
  hear: ((opinion: Opinion) => void) | undefined,
): Promise<Endured> {
  const { seed, nodes, forMs, faulty } = ordeal;
  const log = logOf(ordeal, nodeNames(nodes));
  let startMs = 0;
  const fleet = await ProductionFleet.form({
    seed,
    nodes,
    settings: { downing: { strategy: 'manual' } },
    onEvent: (teller, event, nowMs) => {
      log.hear(teller, event, nowMs);
      const opinion = opinionOf(teller, event, nowMs - startMs);
      if (opinion !== undefined) hear?.(opinion);
    },
  });
  const { sim, names } = fleet;
  startMs = sim.nowMs;
  const rule = ruleOf(contestant, ordeal.loss, names, startMs);
  if (rule !== undefined) sim.add(rule, 'loss');
  for (const { node, atMs, forMs: ms } of ordeal.stalls) {
    sim.after(atMs, () => sim.pause(names[node] as string, ms));
  }
  const endMs = startMs + forMs;
  // Who listens wants all of it.
  const enough = hear === undefined ? ENOUGH : Number.POSITIVE_INFINITY;
  while (sim.nowMs < endMs && log.stories < enough) {
    await sim.run(Math.min(LOOK_EVERY_MS, endMs - sim.nowMs));
  }
  const sum = log.sum(sim.nowMs, nodes - faulty);
  return { ...sum, enduredMs: sim.nowMs - startMs, steps: sim.events };
}

function opinionOf(observer: string, event: ClusterEvent, atMs: number): Opinion | undefined {
  if (event.type !== 'memberUnreachable' && event.type !== 'memberReachable') return undefined;
  const subject = hostOf(event.member.address);
  return { atMs, observer, subject, isDead: event.type === 'memberUnreachable' };
}

function logOf({ nodes, faulty }: Ordeal, names: readonly string[]): ConvictionLog {
  const sick = new Set(names.slice(nodes - faulty));
  return new ConvictionLog((name) => !sick.has(name));
}

function lossOf({ loss: what, nodes }: Ordeal): LossOf | number {
  const last = nodes - 1;
  const isOn = (nowMs: number) => nowMs >= WARM_UP_MS;
  switch (what.kind) {
    case 'none':
      return 0;
    case 'everywhere':
      return (_from, _to, nowMs) => (isOn(nowMs) ? what.share : 0);
    case 'aroundOne':
      return (from, to, nowMs) => (isOn(nowMs) && (from === last || to === last) ? what.share : 0);
    case 'deafInTurns':
      return (_from, to, nowMs) =>
        isOn(nowMs) && to === last && Math.floor(nowMs / what.periodMs) % 2 === 0 ? 1 : 0;
    case 'firstHearsLess':
      return (_from, to, nowMs) =>
        isOn(nowMs) && to === 0 && nowMs < WARM_UP_MS + what.untilMs ? what.share : 0;
  }
}

function ruleOf(
  contestant: 'rollcall' | 'tcp',
  what: Loss,
  names: readonly string[],
  startMs: number,
): Rule | undefined {
  const [first, last] = [names[0] as string, names.at(-1) as string];
  const lossy = contestant === 'tcp' ? segmentLoss : loss;
  switch (what.kind) {
    case 'none':
      return undefined;
    case 'everywhere':
      return lossy(what.share);
    case 'aroundOne':
      return around([last], lossy(what.share));
    case 'deafInTurns':
      return flipFlop(what.periodMs, ({ to }) => (to === last ? 'drop' : 'pass'));
    case 'firstHearsLess': {
      const lessHeard = lossy(what.share);
      return (packet, random) =>
        packet.to === first && packet.sentAtMs < startMs + what.untilMs
          ? lessHeard(packet, random)
          : 'pass';
    }
  }
}

/** Stalls as their beginnings and ends, in order. */
function turns(stalls: readonly Stall[]) {
  return stalls
    .flatMap(({ node, atMs, forMs }) => [
      { node, atMs, starts: true },
      { node, atMs: atMs + forMs, starts: false },
    ])
    .sort((a, b) => a.atMs - b.atMs);
}
