/**
 * What leaves the process about the links a node observes: the evidence, what its verdicts were worth, and
 * on request the longest gaps, from which `rollcall tune` reads what a patience would cost.
 */
import {
  addressOf,
  type LinkGaps,
  type LinkQos,
  type LinkView,
  type Settings,
  settingsFor,
  uidOf,
} from '@rollcall/core';
import { refuse } from './answer.js';
import type { ManagedCluster } from './managed-cluster.js';

/**
 * The measures of Chen, Toueg and Aguilera in milliseconds. `observedMs`, `mistakes`, `mistakeMs` and `setAside`
 * are counters: they only grow while the link is observed.
 */
export interface QosAnswer {
  /** T_D, from the last sign of life to the verdict; null while no silence convicts. */
  readonly detectionTimeMs: number | null;
  /** T_MR, the mean time from one mistake to the next; null while there was none. */
  readonly mistakeRecurrenceMs: number | null;
  /** T_M, how long a mistake lasts on average; null while there was none. */
  readonly mistakeDurationMs: number | null;
  /** P_A, the share of the observed time without a mistake; null before any was observed. */
  readonly queryAccuracy: number | null;
  readonly mistakes: number;
  readonly mistakeMs: number;
  readonly observedMs: number;
  /** Verdicts dropped because this node itself was cut off; neither mistakes nor detections. */
  readonly setAside: number;
}

export interface GapsAnswer {
  /** How many gaps there were since the link is observed. */
  readonly count: number;
  /** The longest of them, longest first. */
  readonly longestMs: readonly number[];
}

/** The detector that makes phi of silence, so that a reader can tell what a phi means. */
export interface DetectorAnswer {
  readonly kind: string;
  readonly threshold: number;
  readonly acceptablePauseMs: number;
  readonly minStdDeviationMs: number;
  /** `heartbeat.interval`. */
  readonly intervalMs: number;
}

export interface LinkAnswer {
  readonly observer: string;
  readonly subject: string;
  readonly subjectUid: string;
  readonly connected: boolean;
  readonly reachable: boolean;
  /** Nothing comes over this link, and others, or datagrams, reach the subject: the link is at fault. */
  readonly broken: boolean;
  /** It came and went: it stays unreachable until it has been heard for so many ms more; null otherwise. */
  readonly heldForMs: number | null;
  readonly phi: number;
  /** Null when there was no sign of life yet. */
  readonly silenceMs: number | null;
  readonly meanMs: number;
  readonly deviationMs: number;
  readonly samples: number;
  readonly qos: QosAnswer;
  /** Where `peers.<address>` has settings for the subject; as for all links otherwise. */
  readonly detector?: DetectorAnswer;
  /** With `?gaps=` only. */
  readonly gaps?: GapsAnswer;
}

export interface LinksAnswer {
  readonly selfNode: string;
  /** Of every link that has none of its own. */
  readonly detector: DetectorAnswer;
  readonly links: readonly LinkAnswer[];
}

/** A link keeps no more of them. */
const GAPS_MAX = 64;

/** `gaps` as it is in the URL: how many of the longest gaps to show for each link. */
export function linksAnswer(cluster: ManagedCluster, gaps: string | null = null): LinksAnswer {
  const { settings } = cluster;
  const most = readMost(gaps);
  const kept = new Map(cluster.gaps.map((each) => [each.subject, each]));
  return {
    selfNode: cluster.self.address,
    detector: detectorAnswer(settings),
    links: cluster.links.map((link) => ({
      ...linkAnswer(link),
      ...ownDetector(settings, addressOf(link.subject)),
      ...(most === undefined ? {} : { gaps: gapsAnswer(kept.get(link.subject), most) }),
    })),
  };
}

const detectorAnswer = ({ detector, heartbeat }: Settings): DetectorAnswer => ({
  kind: detector.kind,
  threshold: detector.threshold,
  acceptablePauseMs: detector.acceptablePause,
  minStdDeviationMs: detector.minStdDeviation,
  intervalMs: heartbeat.interval,
});

function ownDetector(settings: Settings, address: string): Pick<LinkAnswer, 'detector'> {
  const own = settingsFor(settings, address);
  return own === settings ? {} : { detector: detectorAnswer(own) };
}

function readMost(text: string | null): number | undefined {
  if (text === null) return undefined;
  const most = Number(text);
  if (/^\d+$/.test(text) && most >= 1 && most <= GAPS_MAX) return most;
  return refuse(
    400,
    `gaps is how many of the longest gaps to show, 1 to ${GAPS_MAX}, not '${text}'`,
  );
}

const gapsAnswer = (gaps: LinkGaps | undefined, most: number): GapsAnswer => ({
  count: gaps?.count ?? 0,
  longestMs: gaps?.longestMs.slice(0, most) ?? [],
});

function linkAnswer(link: LinkView): LinkAnswer {
  return {
    observer: addressOf(link.observer),
    subject: addressOf(link.subject),
    subjectUid: uidOf(link.subject),
    connected: link.connected,
    reachable: link.reachable,
    broken: link.broken,
    heldForMs: link.heldForMs ?? null,
    phi: link.phi,
    silenceMs: link.silenceMs ?? null,
    meanMs: link.meanMs,
    deviationMs: link.deviationMs,
    samples: link.samples,
    qos: qosAnswer(link.qos),
  };
}

const qosAnswer = (qos: LinkQos): QosAnswer => ({
  detectionTimeMs: qos.detectionTimeMs ?? null,
  mistakeRecurrenceMs: qos.mistakeRecurrenceMs ?? null,
  mistakeDurationMs: qos.mistakeDurationMs ?? null,
  queryAccuracy: qos.queryAccuracy ?? null,
  mistakes: qos.mistakes,
  mistakeMs: qos.mistakeMs,
  observedMs: qos.observedMs,
  setAside: qos.setAside,
});
