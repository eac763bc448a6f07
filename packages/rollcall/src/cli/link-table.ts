/** What the links command shows: each observed link, its evidence and what its verdicts were worth. */
import type { LinkAnswer, LinksAnswer } from '@rollcall/management';
import { table, WIDTH, wrap } from './table.js';
import { span } from './tune-numbers.js';

const HEAD = [
  'TO',
  'VERDICT',
  'PHI',
  'SILENCE',
  'T_D',
  'MISTAKES',
  'T_MR',
  'T_M',
  'P_A',
  'OBSERVED',
];

const LEGEND =
  'T_D: how long a silence lasts until it convicts. T_MR: mean time between mistakes, T_M: how long one ' +
  'lasts, P_A: share of the time without one. A mistake is a verdict that was taken back because the ' +
  'member was heard again. Link broken: others, or datagrams, reach the member. Held: it came and went too often, or is hardly heard, ' +
  'and stays convicted for so long at least.';

const TUNE = ' `rollcall tune` says what other settings would cost.';
const SWIM = ' With swim verdicts are SWIM’s, by probes; phi is shown, and convicts nobody.';

export function linkTable({ links, selfNode, detector }: LinksAnswer): string {
  if (links.length === 0) return `${selfNode} observes nobody.\n`;
  const { kind, threshold } = detector;
  const isSwim = kind === 'swim';
  const by = `Observed by ${selfNode} with ${kind}${isSwim ? '' : `, threshold ${threshold}`}.`;
  const legend = wrap(LEGEND + (isSwim ? SWIM : TUNE), WIDTH);
  const text = [by, ...links.flatMap(own), ...legend].join('\n');
  return `${table(HEAD, links.map(row))}\n${text}\n`;
}

function own({ subject, detector }: LinkAnswer): string[] {
  if (detector === undefined) return [];
  const { threshold, acceptablePauseMs } = detector;
  return [
    `${subject} has its own: threshold ${threshold}, acceptable pause ${span(acceptablePauseMs)}.`,
  ];
}

function row(link: LinkAnswer): string[] {
  const { subject, phi, silenceMs, qos } = link;
  const { detectionTimeMs, mistakes, mistakeRecurrenceMs, mistakeDurationMs } = qos;
  return [
    subject,
    verdict(link),
    phi < 1_000 ? phi.toFixed(1) : '>999',
    orNone(silenceMs),
    orNone(detectionTimeMs),
    mistakes.toLocaleString('en-US'),
    orNone(mistakeRecurrenceMs),
    orNone(mistakeDurationMs),
    accuracy(qos.queryAccuracy),
    span(qos.observedMs),
  ];
}

function verdict({ reachable, broken, heldForMs }: LinkAnswer): string {
  if (reachable) return broken ? 'link broken' : 'available';
  return heldForMs === null ? 'convicted' : `held ${span(heldForMs)}`;
}

const orNone = (ms: number | null): string => (ms === null ? '-' : span(ms));

/** Never rounded up to one: that would be a promise. */
const accuracy = (share: number | null): string =>
  share === null ? '-' : share === 1 ? '1' : String(Math.floor(share * 1e5) / 1e5);
