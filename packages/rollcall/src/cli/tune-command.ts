/** `rollcall tune`: gaps that were observed, what each choice of patience would cost on them, and which to take. */
import { detectorSettings, SETTINGS, type Settings } from '@rollcall/core';
import { type PatienceGoal, studyPatience } from '@rollcall/failure-detector';
import { checkSettings } from '../node-options.js';
import { EXIT, type ExitCode, unusable } from './exit-code.js';
import { type GapSource, readGapSource } from './gap-source.js';
import type { TuneFlags } from './tune-options.js';
import { type Tuning, tuningText } from './tune-text.js';
import type { World } from './world.js';

const THRESHOLDS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
/** Pauses in intervals, where none are given. */
const PAUSES = [1, 2, 3, 5, 8, 12];
/** More columns would not fit. */
const PAUSES_MAX = 7;

export async function tuneCommand(flags: TuneFlags, world: World): Promise<ExitCode> {
  const goal = readGoal(flags);
  const source = await readGapSource(flags, world);
  refuseSwim(source.settings);
  const pausesMs = readPauses(flags.pauses, source.settings);
  const tuning = tune(source, pausesMs, goal);
  world.out(flags.json === true ? `${JSON.stringify(plain(tuning))}\n` : tuningText(tuning));
  return EXIT.done;
}

/** SWIM's times follow from its profile: there is no patience to choose. */
function refuseSwim({ detector }: Settings): void {
  if (detector.kind !== 'swim') return;
  throw unusable(
    'detector.kind',
    'rollcall tune chooses a patience with silence, and with detector.kind=swim there is none: its times follow from ' +
      'detector.profile and detector.variant, which `rollcall study threshold` compares',
  );
}

function tune(source: GapSource, pausesMs: readonly number[], goal: PatienceGoal): Tuning {
  const { gaps, settings, links } = source;
  const choices = { thresholds: THRESHOLDS, pausesMs };
  const { rings, interval } = settings.heartbeat;
  return {
    source,
    goal,
    study: studyPatience(gaps, detectorSettings(settings), choices, goal),
    messagesPerSecond: (links ?? 2 * rings) / (interval / 1_000),
  };
}

/** For programs: full precision, and names with units. */
function plain({ source, goal, study, messagesPerSecond }: Tuning): object {
  const { gaps, settings, links, observed, title } = source;
  const { count, meanMs, learnt, longestMs } = gaps;
  const within = goal.detectionTimeMs;
  return {
    of: title,
    detector: { ...detectorSettings(settings), intervalMs: settings.heartbeat.interval },
    gaps: { count, meanMs, deviationMs: learnt.deviationMs, longestMs: longestMs[0] },
    ...(links === undefined ? {} : { links }),
    ...(observed === undefined ? {} : { observed }),
    messagesPerSecond,
    goal: { ...goal, detectionTimeMs: Number.isFinite(within) ? within : null },
    ...study,
  };
}

function readGoal({ mistakes = '1', within }: TuneFlags): PatienceGoal {
  const mistakesPerYear = /^\d+(?:\.\d+)?$/.test(mistakes) ? Number(mistakes) : 0;
  if (!(mistakesPerYear > 0 && mistakesPerYear <= 1e9))
    throw unusable(
      '--mistakes',
      `--mistakes takes a number above 0, such as 0.1, not '${mistakes}'`,
    );
  if (within === undefined) return { mistakesPerYear, detectionTimeMs: Number.POSITIVE_INFINITY };
  return { mistakesPerYear, detectionTimeMs: readDuration('--within', within) };
}

function readDuration(flag: string, text: string): number {
  const setting = SETTINGS.detector.acceptablePause;
  const answer = setting.read(text);
  if ('value' in answer) return answer.value;
  throw unusable(flag, `${flag} takes ${setting.takes}, such as 5s, not '${text}'`);
}

/** Those that were given have to be usable; of the usual ones, those that are, and today's. */
function readPauses(list: string | undefined, settings: Settings): readonly number[] {
  const { interval } = settings.heartbeat;
  const { acceptablePause } = settings.detector;
  if (list === undefined) {
    const usual = [...PAUSES.map((each) => each * interval), acceptablePause];
    return inOrder(usual.filter((pauseMs) => isUsable(settings, pauseMs)));
  }
  const given = inOrder(list.split(',').map((each) => readDuration('--pauses', each.trim())));
  if (given.length > PAUSES_MAX)
    throw unusable('--pauses', `--pauses compares ${PAUSES_MAX} at most, not ${given.length}`);
  for (const pauseMs of given) withPause(settings, pauseMs);
  return given;
}

const inOrder = (pausesMs: readonly number[]): readonly number[] =>
  [...new Set(pausesMs)].sort((a, b) => a - b);

/** Throws when it does not go with the others. */
function withPause({ heartbeat, detector }: Settings, acceptablePause: number): void {
  const { kind, threshold, minStdDeviation } = detector;
  checkSettings({
    heartbeat: { interval: heartbeat.interval },
    detector: { kind, threshold, minStdDeviation, acceptablePause },
  });
}

function isUsable(settings: Settings, pauseMs: number): boolean {
  try {
    withPause(settings, pauseMs);
    return true;
  } catch {
    return false;
  }
}
