/** What the commands and streams of a running node take, checked before anything is done. */
import {
  checkShape,
  checkShapes,
  hasMethods,
  isText,
  type OptionShape,
  SIGNAL,
} from './option-shapes.js';

const NODE: OptionShape = {
  takes: "the address or unique address of a member as text, such as 'ws://127.0.0.1:7355'",
  fits: isText,
};

/** Throws `badSetting`, as all of these do. */
export const checkNode = (node: unknown): void =>
  checkShape('node', node, { ...NODE, isNeeded: true });

export const checkUp = (options: unknown): void =>
  checkShapes(options, { signal: SIGNAL }, '{ signal }');

export const checkLeave = (options: unknown): void =>
  checkShapes(options, { node: NODE, signal: SIGNAL }, '{ node, signal }');

const PHI: OptionShape = {
  takes: 'a number above 0, such as 3',
  fits: (value) => typeof value === 'number' && value > 0 && value < Infinity,
  isNeeded: true,
  isOpen: true,
};

/** Up to what the node itself puts up with: a longer one would call a member calm that the cluster convicts. */
const pause = (longestMs: number): OptionShape => ({
  takes: `a number of milliseconds from 0 to detector.acceptablePause (${longestMs})`,
  fits: (value) => typeof value === 'number' && value >= 0 && value <= longestMs,
  isOpen: true,
});

export const checkPhi = (options: unknown, longestPauseMs: number): void =>
  checkShapes(options, { pauseMs: pause(longestPauseMs) }, '{ pauseMs: 500 }');

export const checkAvoid = (options: unknown, longestPauseMs: number): void =>
  checkShapes(options, { phi: PHI, pauseMs: pause(longestPauseMs) }, '{ phi: 3, pauseMs: 500 }');

/** An answer later than a day is none, as for `messages.askTimeout`. */
const TIMEOUT: OptionShape = {
  takes: 'a number of milliseconds from 1 to 86400000',
  fits: (value) => typeof value === 'number' && value >= 1 && value <= 86_400_000,
  isOpen: true,
};

export const checkAsk = (options: unknown): void =>
  checkShapes(options, { timeoutMs: TIMEOUT, signal: SIGNAL }, '{ timeoutMs, signal }');

export const checkOutcome = (isGood: unknown): void =>
  checkShape('isGood', isGood, {
    takes: 'true for a request that went well, or false',
    fits: (value) => typeof value === 'boolean',
    isNeeded: true,
  });

export const checkHandler = (handler: unknown): void =>
  checkShape('handler', handler, {
    takes: 'a function from what was asked to the answer',
    fits: (value) => typeof value === 'function',
    isNeeded: true,
  });

/** Known by its methods and not by its class, so that a stream of another copy of RxJS passes as well. */
export function checkStream(name: unknown, stream: unknown): void {
  const named = { takes: 'the name that it has in the log, as text', fits: isText };
  checkShape('name', name, { ...named, isNeeded: true });
  const observable = { takes: 'an Observable', fits: hasMethods('subscribe', 'pipe') };
  checkShape('stream', stream, { ...observable, isNeeded: true });
}
