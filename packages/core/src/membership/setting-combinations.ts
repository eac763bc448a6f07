/**
 * What settings must be to each other. Each complaint has the arithmetic in it, and a value that would
 * do, so that nobody has to guess what to change.
 */
import { deviationsAtPhi, silenceAtPhiExponential } from '@rollcall/failure-detector';
import { CHARACTERS_MAX, KEY_BYTES_MAX, ROLES_MAX } from './member-facts.js';
import { showDuration } from './setting.js';
import type { Settings } from './setting-table.js';
import { ClusterSettingsError } from './settings-error.js';

/** Throws ClusterSettingsError for a combination that cannot work. */
export function checkCombinations(settings: Settings): void {
  checkQuorum(settings);
  checkDetector(settings);
  checkFrames(settings);
  checkFrameRate(settings);
  checkPauses(settings);
  checkHoldDowns(settings);
}

/** What `detector` says, together with the interval. */
export function checkDetector(settings: Settings): void {
  checkPause(settings);
  checkThreshold(settings);
}

function checkQuorum({ downing }: Settings): void {
  if (downing.strategy === 'static-quorum' && downing.quorum === 0) {
    throw new ClusterSettingsError(
      'downing.quorum',
      'downing.quorum must be given with downing.strategy=static-quorum',
    );
  }
}

/** One heartbeat may be lost: the next one comes two intervals after the last. */
function checkPause({
  detector: { kind, acceptablePause },
  heartbeat: { interval },
}: Settings): void {
  const isShort = acceptablePause < interval;
  const sum = `detector.acceptablePause (${showDuration(acceptablePause)}) is ${isShort ? 'shorter than' : 'no longer than'} heartbeat.interval (${showDuration(interval)})`;
  if (kind === 'deadline' && acceptablePause <= interval) {
    const [trips, comes] = [interval + acceptablePause, 2 * interval].map(showDuration);
    throw new ClusterSettingsError(
      'detector.acceptablePause',
      `${sum}: the deadline is the sum of both, ${trips}, and after one lost heartbeat the next comes ${comes} after the last, ` +
        `so a healthy member would be suspected again and again; three intervals (${showDuration(3 * interval)}) are a good pause`,
    );
  }
  if (isShort) {
    const why =
      kind === 'phi-exponential'
        ? 'it also bounds what a pause of this process excuses in the silence of others, and that would be less than one heartbeat'
        : 'one lost heartbeat would convict a healthy member';
    throw new ClusterSettingsError('detector.acceptablePause', `${sum}: ${why}`);
  }
}

/** What ordinary scatter, or one lost heartbeat, reaches is no threshold. */
function checkThreshold({ detector, heartbeat }: Settings): void {
  const { kind, threshold, minStdDeviation } = detector;
  if (kind === 'phi-normal' && deviationsAtPhi(threshold) < 1) {
    const deviations = deviationsAtPhi(threshold);
    const isBefore = deviations < 0;
    const distance = `${digits(Math.abs(deviations))} deviations ${isBefore ? 'before' : 'after'} the mean gap and detector.acceptablePause have passed`;
    const floor = `${digits(Math.abs(deviations * minStdDeviation))} ms at detector.minStdDeviation (${showDuration(minStdDeviation)})`;
    throw new ClusterSettingsError(
      'detector.threshold',
      `detector.threshold (${threshold}) is reached ${distance}, ${floor}: that is inside one deviation, ` +
        'where a gap ends by ordinary scatter; one deviation is a threshold of 0.8, and 8 is usual',
    );
  }
  const { interval } = heartbeat;
  const silenceMs = silenceAtPhiExponential(threshold, interval);
  if (kind === 'phi-exponential' && silenceMs <= 2 * interval) {
    throw new ClusterSettingsError(
      'detector.threshold',
      `detector.threshold (${threshold}) is reached after ${digits(threshold * Math.LN10)} gaps, ${digits(silenceMs)} ms at ` +
        `heartbeat.interval (${showDuration(interval)}): after one lost heartbeat the next comes ${showDuration(2 * interval)} ` +
        'after the last, so a healthy member would be convicted again and again; 0.87 is just enough for one, and 8 is usual',
    );
  }
}

const digits = (value: number): string => String(Number(value.toPrecision(3)));

/** A length before a text, an item or a list; numbers, flags and two leases of a member. */
const LENGTH_BYTES = 2;
const NUMBERS_BYTES = 64;
const WORD_BYTES = CHARACTERS_MAX + LENGTH_BYTES;
const NAME_BYTES = KEY_BYTES_MAX + 2 * LENGTH_BYTES;
/** A digest, a base and a token. */
const HEAD_BYTES = 512;

/**
 * The most that one member can be in a frame: its unique address, all the roles and the version it may have,
 * the neighbours it may hold unreachable, and once more its address, for it may have been removed in
 * the epoch that is told.
 */
export function memberBytesMax({ heartbeat }: Settings): number {
  const neighbours = 2 * heartbeat.rings;
  return NAME_BYTES * (2 + neighbours) + ROLES_MAX * WORD_BYTES + WORD_BYTES + NUMBERS_BYTES;
}

/** A joiner is sent all members in one frame, and so is whoever has missed too much. */
function checkFrames(settings: Settings): void {
  const { frameBytes, members } = settings.limits;
  const each = memberBytesMax(settings);
  const all = HEAD_BYTES + members * each;
  if (all <= frameBytes) return;
  const fit = Math.floor((frameBytes - HEAD_BYTES) / each);
  const parts = `an address of ${KEY_BYTES_MAX}, ${ROLES_MAX} roles and a version of ${CHARACTERS_MAX} each, ${2 * settings.heartbeat.rings} neighbours it holds unreachable`;
  const lower = fit > 0 ? `, or limits.members to ${fit}` : '';
  throw new ClusterSettingsError(
    'limits.frameBytes',
    `limits.frameBytes (${frameBytes}) is too small for limits.members (${members}): one frame must hold them all, ` +
      `and a member can take ${each} bytes (${parts}), ${all} in all; set limits.frameBytes to that${lower}`,
  );
}

/**
 * What a peer sends of itself: a heartbeat an interval, and a probe each repeat once the other is silent. The rate is that of
 * each link; a limit below it closes every link again and again. As much again as the heartbeats is for news, answers and
 * what was held up.
 */
function checkFrameRate({ heartbeat: { interval }, detector, limits }: Settings): void {
  const { framesPerSecond } = limits;
  const { indirectProbes, probeRepeat } = detector;
  const heartbeats = 1_000 / interval;
  const probes = indirectProbes === 0 ? 0 : 1_000 / probeRepeat;
  const needed = Math.ceil(heartbeats + Math.max(heartbeats, probes));
  if (framesPerSecond >= needed) return;
  const more =
    probes > heartbeats
      ? `a member that is silent is asked ${digits(probes)} times a second besides, at detector.probeRepeat (${showDuration(probeRepeat)})`
      : 'as much again is needed for all else';
  throw new ClusterSettingsError(
    'limits.framesPerSecond',
    `limits.framesPerSecond (${framesPerSecond}) is too small: at heartbeat.interval (${showDuration(interval)}) each link carries ` +
      `${digits(heartbeats)} heartbeats a second, and ${more}, ${needed} in all; a link above the limit is closed; ` +
      `set limits.framesPerSecond to ${needed} at least`,
  );
}

function checkPauses({ limits: { reconnectMin, reconnectMax } }: Settings): void {
  checkLongest(['limits.reconnectMax', reconnectMax], ['limits.reconnectMin', reconnectMin]);
}

/** Without a hold-down none is doubled. */
function checkHoldDowns({ damping: { holdDown, holdDownMax } }: Settings): void {
  checkLongest(['damping.holdDownMax', holdDownMax], ['damping.holdDown', holdDown]);
}

type Named = readonly [name: string, ms: number];

/** The longest is no shorter than the first. */
function checkLongest([name, longest]: Named, [firstName, first]: Named): void {
  if (longest >= first) return;
  throw new ClusterSettingsError(
    name,
    `${name} (${showDuration(longest)}) is below ${firstName} (${showDuration(first)}); ` +
      `set ${name} to ${showDuration(first)} or more, or ${firstName} to ${showDuration(longest)} or less`,
  );
}
