/** How a command ended, as the number that scripts and supervisors read. */
import { ClusterError, type Ending } from '@rollcall/core';

export const EXIT = {
  /** The node left; the command did what was asked. */
  done: 0,
  /** Anything that has no number of its own. */
  other: 1,
  /** Arguments or settings cannot be used; the message names which. */
  unusable: 2,
  /** The node was downed or removed by others, or stopped itself by downing. */
  ended: 3,
  /** The node could not join: refused, or nobody let it in. */
  notJoined: 4,
  /** A signal ended it before it was done: 128 and the number of the signal, as shells count. */
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Of what was told to end by this signal before it was done. */
export const exitCodeOfSignal = (signal: string): ExitCode =>
  signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;

const OF_REASON: Readonly<Record<Ending['reason'], ExitCode>> = {
  left: EXIT.done,
  stopped: EXIT.other,
  failed: EXIT.other,
  removed: EXIT.ended,
  minority: EXIT.ended,
  notQuorate: EXIT.ended,
  toldToGo: EXIT.ended,
  refused: EXIT.notJoined,
  gaveUp: EXIT.notJoined,
};

export const exitCodeOf = ({ reason }: Ending): ExitCode => OF_REASON[reason];

const OF_CODE: Readonly<Partial<Record<ClusterError['code'], ExitCode>>> = {
  badSetting: EXIT.unusable,
  joinRefused: EXIT.notJoined,
  joinTimedOut: EXIT.notJoined,
};

/** Of what a command threw. */
export const exitCodeOfError = (error: unknown): ExitCode =>
  error instanceof ClusterError ? (OF_CODE[error.code] ?? EXIT.other) : EXIT.other;

/** What a command was given cannot be used; `argument` is as the user knows it, `--seed`. */
export const unusable = (argument: string, message: string, cause?: unknown): ClusterError =>
  new ClusterError('badSetting', message, { setting: argument }, cause);
