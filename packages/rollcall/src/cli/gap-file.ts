/**
 * Files of gaps for `rollcall tune`: numbers, as CSV or JSON, or a saved answer of `GET /cluster/links`.
 * What is no gap is refused with its line, and nothing is read around it.
 */
import type { LinkAnswer, LinksAnswer } from '@rollcall/management';
import { unusable } from './exit-code.js';
import { readText } from './text-file.js';

/** Seven weeks of a heartbeat a second. */
const FILE_BYTES = 32 * 1_024 * 1_024;
/** What a detector takes for a gap, in milliseconds. */
const GAP_MAX_MS = 1e12;

export type GapFile =
  | { readonly kind: 'gaps'; readonly gapsMs: readonly number[] }
  | { readonly kind: 'links'; readonly answer: LinksAnswer };

export function readGapFile(file: string): GapFile {
  return parseGaps(readText('--file', file, FILE_BYTES), file);
}

/** What begins with a bracket or a brace is JSON, whatever the file is called. */
export function parseGaps(text: string, file: string): GapFile {
  return /^\s*[[{]/.test(text) ? parseJson(text, file) : parseCsv(text, file);
}

function parseCsv(text: string, file: string): GapFile {
  const gapsMs: number[] = [];
  let hasHead = false;
  for (const [index, line] of text.split('\n').entries()) {
    const cell = line.trim();
    if (cell === '' || cell.startsWith('#')) continue;
    const isHead = gapsMs.length === 0 && !hasHead && isHeading(cell);
    if (isHead) hasHead = true;
    else gapsMs.push(readGap(cell, file, index + 1));
  }
  return someGaps(gapsMs, file);
}

/** A word: not what programs write for a number that is none. */
const isHeading = (cell: string): boolean =>
  /^("?)[a-z_]+\1$/i.test(cell) &&
  !/^"?(?:nan|na|null|nil|none|undefined|inf|infinity)"?$/i.test(cell);

function parseJson(text: string, file: string): GapFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw notJson(text, file, cause as Error);
  }
  if (!Array.isArray(value)) return readLinks(value, text, file);
  const bad = value.findIndex((item) => typeof item !== 'number' || !isGap(item));
  if (bad >= 0) readGap(JSON.stringify(value[bad]), file, lineOfItem(text, bad));
  return someGaps(value, file);
}

const isGap = (ms: number): boolean => ms >= 0 && ms <= GAP_MAX_MS;

function readGap(cell: string, file: string, line: number): number {
  const isPlain = /^\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(cell);
  const gapMs = isPlain ? Number(cell) : Number.NaN;
  if (isGap(gapMs)) return gapMs;
  const shown = cell.length > 40 ? `${cell.slice(0, 40)}…` : cell;
  const why = cell.includes(',')
    ? 'has several columns: keep the one with the gaps'
    : 'is no gap: a number of milliseconds from 0 on, such as 1003.2';
  throw unusable('--file', `--file ${file}, line ${line}: '${shown}' ${why}`);
}

function someGaps(gapsMs: readonly number[], file: string): GapFile {
  if (gapsMs.some((gapMs) => gapMs > 0)) return { kind: 'gaps', gapsMs };
  const why = gapsMs.length === 0 ? 'has no gaps in it' : 'has only gaps of 0 ms';
  throw unusable('--file', `--file ${file} ${why}: a number of milliseconds a line`);
}

/** Only as much of it is looked at as is used. */
function readLinks(value: unknown, text: string, file: string): GapFile {
  const { links, detector } = (value ?? {}) as Partial<LinksAnswer>;
  const from = 'curl -s http://127.0.0.1:8355/cluster/links?gaps=64';
  if (!Array.isArray(links) || typeof detector?.intervalMs !== 'number') {
    const takes = `a list of numbers, or what \`${from}\` answers`;
    throw unusable(
      '--file',
      `--file ${file}, line ${lineAt(text, text.indexOf('{'))}: JSON is ${takes}`,
    );
  }
  const bad = links.findIndex((link) => !isLink(link));
  if (bad < 0) return { kind: 'links', answer: value as LinksAnswer };
  const why = `link ${bad + 1} of ${links.length} has no gaps in it: ask for them, \`${from}\``;
  throw unusable('--file', `--file ${file}: ${why}`);
}

function isLink(link: Partial<LinkAnswer> | null): boolean {
  const { subject, gaps, qos, samples, meanMs, deviationMs } = link ?? {};
  const longestMs: unknown = gaps?.longestMs;
  const numbers = [gaps?.count, qos?.mistakes, qos?.observedMs, samples, meanMs, deviationMs];
  return (
    typeof subject === 'string' &&
    Array.isArray(longestMs) &&
    [...numbers, ...longestMs].every((each) => typeof each === 'number' && isGap(each))
  );
}

function notJson(text: string, file: string, cause: Error): Error {
  // Node 20 says at which position, later ones at which line as well; at the end it may say neither.
  const [, position] = /at position (\d+)/.exec(cause.message) ?? [];
  const line = lineAt(text, position === undefined ? text.trimEnd().length : Number(position));
  const begins = 'it begins like JSON and is none';
  return unusable('--file', `--file ${file}, line ${line}: ${begins}: ${cause.message}`, cause);
}

const lineAt = (text: string, position: number): number =>
  text.slice(0, position).split('\n').length;

/** Those before it are numbers, so it begins with the word of its own place. */
function lineOfItem(text: string, item: number): number {
  const words = text.matchAll(/"(?:[^"\\]|\\.)*"|[^\s,[\]]+|(?<=[,[]\s*)[[\]]/g);
  let position = 0;
  let place = 0;
  for (const { index } of words) {
    position = index;
    if (place++ === item) break;
  }
  return lineAt(text, position + 1);
}
