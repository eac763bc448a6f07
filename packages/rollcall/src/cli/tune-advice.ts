/** The paragraph of `rollcall tune`: what to take, which gaps decided it, and how much of it is extrapolated. */
import { showDuration } from '@rollcall/core';
import type { GapTail, PatienceCost } from '@rollcall/failure-detector';
import { counted } from './gap-source.js';
import { number, rate, span } from './tune-numbers.js';
import type { Tuning } from './tune-text.js';

/** As in `PatienceAdvice`: a goal that much rarer than one in all gaps is beyond the sample. */
const BEYOND = 1_000;

/** Rates below this are none that anybody will see. */
const RATE_SEEN = 0.001;

export function adviceText(tuning: Tuning): string {
  const { kind } = tuning.study.advice;
  const says = { take, keep, tooFew, neither }[kind];
  return says(tuning)
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function take(tuning: Tuning): string[] {
  const { study } = tuning;
  const cost = study.advice.cost ?? study.current;
  const isNow = cost.detectionTimeMs === study.current.detectionTimeMs;
  const what = isNow
    ? `Keep ${named(tuning, cost)}: nothing that is quicker by more than a tenth meets the goal.`
    : `Take ${named(tuning, cost)}.`;
  return [what, ...costs(tuning, cost), ...why(tuning, cost)];
}

function keep(tuning: Tuning): string[] {
  const { study, goal, source } = tuning;
  const needed = study.gapsPerYear / goal.mistakesPerYear / BEYOND;
  return [
    `Keep ${named(tuning, study.current)}: these gaps give no reason for more patience, and are too few for less.`,
    `The goal, ${perYear(goal.mistakesPerYear)}, is ${number(study.advice.extrapolation)} times rarer than one in all of them;`,
    `from ${gapsAndTime(needed, source.gaps.meanMs)} on something quicker could be recommended.`,
    study.current.detectionTimeMs > goal.detectionTimeMs
      ? `It is not within ${span(goal.detectionTimeMs)}, but so few gaps do not show that anything quicker would hold.`
      : '',
    ...costs(tuning, study.current),
    ...why(tuning, study.current),
  ];
}

function tooFew(tuning: Tuning): string[] {
  const { study, source, goal } = tuning;
  const { count, meanMs } = source.gaps;
  const needed = Math.max(100, study.gapsPerYear / goal.mistakesPerYear / BEYOND);
  return [
    `No recommendation: ${counted(count, 'gap')} are too few to say how long one can get.`,
    `100 are the least for an estimate, and ${gapsAndTime(needed, meanMs)} are needed before anything quicker than the current settings can be recommended.`,
    `So far ${longestOf(tuning)}.`,
    ruledOut(tuning),
  ];
}

function neither(tuning: Tuning): string[] {
  const { study, goal } = tuning;
  const { cost } = study.advice;
  const within = Number.isFinite(goal.detectionTimeMs)
    ? ` within ${span(goal.detectionTimeMs)}`
    : '';
  if (cost === undefined) {
    const quickest = study.costs.reduce((a, b) => (b.detectionTimeMs < a.detectionTimeMs ? b : a));
    return [
      `No recommendation: nothing here convicts${within}.`,
      `The quickest is ${named(tuning, quickest)}, with ${span(quickest.detectionTimeMs)}; a shorter heartbeat.interval or smaller --pauses would be quicker.`,
    ];
  }
  return [
    `No recommendation: nothing here meets the goal of ${perYear(goal.mistakesPerYear)}${within}.`,
    `The fewest come with ${named(tuning, cost)}.`,
    ...costs(tuning, cost),
    'Look for what keeps these members silent, or compare larger --pauses.',
    ...why(tuning, cost),
  ];
}

function costs(tuning: Tuning, cost: PatienceCost): string[] {
  const { study, source, goal } = tuning;
  const { detectionTimeMs, mistakeDurationMs } = cost;
  const { interval } = source.settings.heartbeat;
  const now =
    detectionTimeMs === study.current.detectionTimeMs
      ? ''
      : `, where it is ${span(study.current.detectionTimeMs)} now`;
  const average = span(Math.max(0, detectionTimeMs - interval / 2));
  const lasts = mistakeDurationMs === undefined ? '' : `, for ${span(mistakeDurationMs)} each`;
  return [
    `A crash is convicted at most ${span(detectionTimeMs)} after its last heartbeat, ${average} after the crash on average${now}.`,
    `A healthy member is expected to be convicted ${rate(cost).replace('<', 'fewer than ')} times a year on a link${lasts}${vouches(tuning, cost)}; the goal is at most ${number(goal.mistakesPerYear)}.`,
  ];
}

/** A rate that is far below one in all gaps of the sample is not left to stand alone. */
function vouches({ study, source }: Tuning, { mistakesPerYear = 0 }: PatienceCost): string {
  if (mistakesPerYear >= study.leastPerYear) return '';
  const few = `${counted(source.gaps.count, 'gap')} cannot vouch for fewer than ${number(study.leastPerYear)}`;
  return study.leastPerYear > RATE_SEEN ? ` by the tail, though ${few}` : '';
}

function why(tuning: Tuning, cost: PatienceCost): string[] {
  const { study, source } = tuning;
  if (study.tail === undefined) return [];
  const [longest = 0] = source.gaps.longestMs;
  const { detectionTimeMs, seen } = cost;
  const beyond =
    detectionTimeMs > longest
      ? `Beyond ${span(longest)} nothing was seen: from there to ${span(detectionTimeMs)} it is the tail that speaks.`
      : '';
  return [
    `What decides it: ${longestOf(tuning)}; ${shapeOf(study.tail)}.`,
    seen === 0
      ? 'None of them would have been a mistake.'
      : `${number(seen)} of them would have been ${seen === 1 ? 'a mistake' : 'mistakes'}.`,
    beyond,
    seen === 0 ? ruledOut(tuning) : '',
    'A kind of pause that did not happen while they were gathered is in none of these numbers.',
  ];
}

function shapeOf({ excesses, fromMs, meanExcessMs, spread, shape, lost }: GapTail): string {
  if (lost !== undefined) {
    const lumps = `the ${number(excesses)} above ${span(fromMs)} lie in lumps an interval apart, as lost heartbeats leave them`;
    return `${lumps}; after one that is lost the next is taken to be lost in ${number(100 * lost.again)} %`;
  }
  const above = `the ${number(excesses)} longest are above ${span(fromMs)}, by ${span(meanExcessMs)} on average`;
  return shape === 0
    ? `${above}, no more unevenly than an exponential tail`
    : `${above}, ${number(spread)} times as uneven as an exponential tail, so a heavier one is assumed`;
}

const ruledOut = ({ study, source }: Tuning): string =>
  `By themselves ${counted(source.gaps.count, 'gap')} cannot rule out that one longer than all of them ` +
  `comes ${number(study.notRuledOutPerYear)} times a year (rule of three, 95 %).`;

function longestOf({ source }: Tuning): string {
  const { count, longestMs } = source.gaps;
  return `the longest of ${counted(count, 'gap')} was ${span(longestMs[0] ?? 0)}`;
}

const gapsAndTime = (gaps: number, meanMs: number): string =>
  `${counted(Math.ceil(gaps), 'gap')} (${span(gaps * meanMs)} of one link)`;

const perYear = (mistakes: number): string =>
  mistakes === 1 ? '1 mistake a year' : `${number(mistakes)} mistakes a year`;

/** The settings by their names, those that matter to the detector. */
function named({ source }: Tuning, { threshold, acceptablePauseMs }: PatienceCost): string {
  const { kind } = source.settings.detector;
  const { branch } = source;
  const pause = `${branch}.acceptablePause=${showDuration(acceptablePauseMs)}`;
  if (kind === 'deadline') return pause;
  const first = `${branch}.threshold=${threshold}`;
  return kind === 'phi-exponential' ? first : `${first} with ${pause}`;
}
