/** Which failures another routee may mend. */
import { ClusterError, type ClusterErrorCode } from '@rollcall/core';

/** The message was not sent, whatever it was: another may get it, and nothing is done twice. */
const UNSENT: ReadonlySet<ClusterErrorCode> = new Set([
  'unknownMember',
  'noLink',
  'backPressure',
  'memberGone',
]);

/** By whoever was asked, before it began. An application's error of the same code is its answer. */
const isRefused = ({ code, data }: ClusterError): boolean =>
  code === 'askFailed' && data.isRefused === true;

/** What it says about that member: it failed, or it answered, be it with an error. Undefined where it says nothing about it. */
export function outcomeOf(error: unknown): boolean | undefined {
  if (!(error instanceof ClusterError)) return undefined;
  // One that is busy is well, and what one cannot read no other may: only where nobody listens is something wrong.
  if (isRefused(error)) return error.data.code === 'nobodyAnswers' ? false : undefined;
  if (error.code === 'askFailed') return true;
  return error.code === 'askTimedOut' || error.code === 'noLink' ? false : undefined;
}

/** The tell failed and certainly arrived nowhere. */
export const mayTellAnother = (error: unknown): boolean =>
  error instanceof ClusterError && UNSENT.has(error.code);

/**
 * The ask failed for a reason that lies in that member or the way there; it may have been done all the same. An error that
 * the other side answered with is its answer, except that nobody took the ask up there: nobody listened, its workers
 * were busy, or it could not read it.
 */
export const mayAskAnother = (error: unknown): boolean =>
  error instanceof ClusterError &&
  (UNSENT.has(error.code) || error.code === 'askTimedOut' || isRefused(error));
