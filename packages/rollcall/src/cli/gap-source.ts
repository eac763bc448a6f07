/** Where `rollcall tune` has its gaps from, a node or a file, and which settings they were observed with. */
import { detectorSettings, type GivenSettings, type Settings } from '@rollcall/core';
import {
  createFailureDetector,
  type GapStatistics,
  type ObservedGaps,
  poolGaps,
} from '@rollcall/failure-detector';
import type { LinkAnswer, LinksAnswer } from '@rollcall/management';
import { checkSettings } from '../node-options.js';
import { clientOf } from './client-commands.js';
import { unusable } from './exit-code.js';
import { readGapFile } from './gap-file.js';
import { ManagementError } from './management-client.js';
import { readGivenSettings } from './node-arguments.js';
import type { TuneFlags } from './tune-options.js';
import type { World } from './world.js';

/** As many of a link's longest gaps as a node keeps. */
const GAPS = 64;

export interface GapSource {
  /** What they are of, as the beginning of a sentence. */
  readonly title: string;
  readonly gaps: ObservedGaps;
  readonly settings: Settings;
  /** Where a threshold and a pause for these links are set: `detector`, or `peers.<address>`. */
  readonly branch: string;
  /** How many links they were observed on; undefined when a file does not say. */
  readonly links: number | undefined;
  /** Mistakes that really happened, and in how long; undefined when a file does not say. */
  readonly observed: { readonly mistakes: number; readonly observedMs: number } | undefined;
}

export async function readGapSource(flags: TuneFlags, world: World): Promise<GapSource> {
  const { file, management, link } = flags;
  if ((file === undefined) === (management === undefined)) {
    const what = '--management URL asks a running node, --file FILE reads what was saved';
    const many = file === undefined ? 'which gaps?' : 'only one of them:';
    throw unusable('--file', `${many} ${what}`);
  }
  if (file === undefined) {
    refuseSettings(flags, 'a running node says itself which settings it has');
    const { value } = await clientOf(flags, world).links(GAPS);
    return ofLinks(value, link);
  }
  const read = readGapFile(file);
  if (read.kind === 'links') {
    refuseSettings(flags, `${file} says which settings the node had`);
    return ofLinks(read.answer, link);
  }
  if (link !== undefined)
    throw unusable('--link', `--link goes with a node: ${file} has the gaps of one link only`);
  return ofGaps(file, read.gapsMs, checkSettings(readGivenSettings(flags)));
}

function refuseSettings({ config, set }: TuneFlags, why: string): void {
  const stray = config !== undefined ? '--config' : set.length > 0 ? '--set' : undefined;
  if (stray !== undefined) throw unusable(stray, `${stray} goes with --file and gaps: ${why}`);
}

/** What a detector learns of them is left to a detector, with room for all of them. */
function ofGaps(file: string, gapsMs: readonly number[], settings: Settings): GapSource {
  const maxSamples = Math.min(1_000_000, Math.max(10, gapsMs.length));
  const given = detectorSettings(settings);
  const detector = createFailureDetector(
    given.kind === 'deadline' ? given : { ...given, maxSamples },
  );
  let nowMs = 0;
  detector.heartbeat(nowMs);
  for (const gapMs of gapsMs) {
    nowMs += gapMs;
    detector.heartbeat(nowMs);
  }
  const count = gapsMs.length;
  const intervalMs = settings.heartbeat.interval;
  const longestMs = gapsMs.toSorted((a, b) => b - a);
  const gaps = { count, longestMs, meanMs: nowMs / count, intervalMs, learnt: detector.gaps };
  const of = { title: file, branch: 'detector' };
  return { ...of, gaps, settings, links: undefined, observed: undefined };
}

function ofLinks(answer: LinksAnswer, name: string | undefined): GapSource {
  const { selfNode } = answer;
  const links = name === undefined ? linksAlike(answer) : linkTo(answer, name);
  const pooled = poolGaps(links.map(({ gaps }) => gaps ?? { count: 0, longestMs: [] }));
  if (pooled.count === 0) {
    const why = answer.links.length === 0 ? 'observes nobody' : 'has heard nobody twice yet';
    throw new ManagementError(`${selfNode} has no gaps to read: it ${why}`);
  }
  const [one] = name === undefined ? [] : links;
  const detector = one?.detector ?? answer.detector;
  const settings = checkSettings({
    'heartbeat.interval': detector.intervalMs,
    'detector.kind': detector.kind,
    'detector.threshold': detector.threshold,
    'detector.acceptablePause': detector.acceptablePauseMs,
    'detector.minStdDeviation': detector.minStdDeviationMs,
  } satisfies GivenSettings);
  const learnt = poolStatistics(links);
  // A deadline learns nothing; heartbeats come at the interval all the same.
  const meanMs = learnt.meanMs > 0 ? learnt.meanMs : detector.intervalMs;
  const of = name === undefined ? counted(links.length, 'link') : `The link to ${name}`;
  return {
    title:
      name === undefined
        ? `${of} of ${selfNode}${withoutThose(answer, links)}`
        : `${of}, as ${selfNode} observes it`,
    branch: one?.detector === undefined ? 'detector' : `peers.${one.subject}`,
    gaps: { ...pooled, meanMs, intervalMs: detector.intervalMs, learnt },
    settings,
    links: answer.links.length,
    observed: {
      mistakes: sum(links, ({ qos }) => qos.mistakes),
      observedMs: sum(links, ({ qos }) => qos.observedMs),
    },
  };
}

/** What `detector` is about: a link with settings of its own, as a worse one has, calls for nothing there. */
function linksAlike({ links, selfNode }: LinksAnswer): readonly LinkAnswer[] {
  const alike = links.filter(({ detector }) => detector === undefined);
  if (alike.length > 0 || links.length === 0) return alike;
  const there = links.map(({ subject }) => subject).join(', ');
  throw unusable(
    '--link',
    `each link of ${selfNode} has settings of its own, peers.<address>: give one with --link: ${there}`,
  );
}

function withoutThose({ links }: LinksAnswer, alike: readonly LinkAnswer[]): string {
  const left = links.length - alike.length;
  const have = left === 1 ? 'has' : 'have';
  return left === 0
    ? ''
    : `, without ${left} that ${have} settings of ${left === 1 ? 'its' : 'their'} own`;
}

function linkTo({ links, selfNode }: LinksAnswer, name: string): readonly LinkAnswer[] {
  const bare = (address: string) => address.replace(/^wss?:\/\//i, '').replace(/\/$/, '');
  const found = links.filter(({ subject }) => bare(subject) === bare(name));
  if (found.length > 0) return found;
  const there = links.map(({ subject }) => subject).join(', ') || 'nobody';
  throw unusable('--link', `${selfNode} does not observe ${name}; it observes ${there}`);
}

/** As if the gaps of all links had been learnt by one, each link about its own mean. */
function poolStatistics(links: readonly LinkAnswer[]): GapStatistics {
  const count = sum(links, ({ samples }) => samples);
  const mean = (of: (link: LinkAnswer) => number) =>
    count === 0 ? 0 : sum(links, (link) => link.samples * of(link)) / count;
  const deviationMs = Math.sqrt(mean(({ deviationMs: each }) => each ** 2));
  return { count, meanMs: mean(({ meanMs }) => meanMs), deviationMs };
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

export const counted = (count: number, what: string): string =>
  count === 1 ? `1 ${what}` : `${count.toLocaleString('en-US')} ${what}s`;
