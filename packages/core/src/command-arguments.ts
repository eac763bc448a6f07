/** What the commands and streams of a running node take, checked before anything is done. */
import { checkShape, checkShapes, isText, type OptionShape, SIGNAL } from './option-shapes.js';

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
