/**
 * What happened, one line per event, in the order it happened: a moment, a node, what, and about
 * what. The same seed gives the same lines byte for byte, so two traces can be compared with diff.
 */
import { shortKey } from './node-name.js';
import type { Packet } from './packet.js';
import { TRACE_WORDS, type TraceWord } from './trace-words.js';

/** `none`; `events`: what people did, membership and links; `frames`: every packet as well. */
export type TraceDetail = 'none' | 'events' | 'frames';

/** One line before it is written. */
export interface TraceEntry {
  readonly atMs: number;
  /** Empty for what concerns no single node. */
  readonly node: string;
  readonly what: TraceWord;
  readonly about: string;
}

export interface TraceOptions {
  readonly detail: TraceDetail;
  /** The last so many lines are kept; 0 keeps all. */
  readonly keep: number;
}

const KEY = /wss?:\/\/[^\s#,;)]+(?:#[0-9a-f]+)?/g;

export class Trace {
  /** Is every packet written down? Asked before each, so that nothing is spent on it otherwise. */
  readonly showsFrames: boolean;
  readonly #detail: TraceDetail;
  readonly #keep: number;
  readonly #nowMs: () => number;
  #entries: TraceEntry[] = [];
  #dropped = 0;

  constructor(options: TraceOptions, nowMs: () => number) {
    this.#detail = options.detail;
    this.#keep = options.keep;
    this.#nowMs = nowMs;
    this.showsFrames = options.detail === 'frames';
  }

  /** Lines that are kept no longer. */
  get dropped(): number {
    return this.#dropped + this.#entries.length - this.#kept().length;
  }

  add(node: string, what: TraceWord, about = ''): void {
    if (this.#detail !== 'none') this.#push({ atMs: this.#nowMs(), node, what, about });
  }

  /** A packet that was sent, and when it will arrive; never, if a rule dropped it. */
  packet(packet: Packet, arrivesAtMs: number | undefined): void {
    const first = packet.bytes?.[0];
    const what = first === undefined ? packet.kind : `frame ${first} (${packet.sizeBytes} B)`;
    const fate =
      arrivesAtMs === undefined
        ? 'dropped'
        : `arrives ${(arrivesAtMs - packet.sentAtMs).toFixed(3)} ms later`;
    this.add(packet.from, 'sends', `${packet.to}: ${what} ${fate}`);
  }

  /** What is kept, addresses and keys shortened to what a person would say. */
  entries(): readonly TraceEntry[] {
    return this.#kept().map(shortened);
  }

  /** The same, a line each. */
  lines(): readonly string[] {
    return this.entries().map(traceLine);
  }

  /** The last so many of them. */
  tail(count: number): readonly string[] {
    return this.#entries.slice(-count).map((entry) => traceLine(shortened(entry)));
  }

  #kept(): readonly TraceEntry[] {
    const surplus = this.#keep === 0 ? 0 : this.#entries.length - this.#keep;
    return surplus > 0 ? this.#entries.slice(surplus) : this.#entries;
  }

  /** Cut back rarely: once twice as many as are kept have come together. */
  #push(entry: TraceEntry): void {
    this.#entries.push(entry);
    if (this.#keep === 0 || this.#entries.length < 2 * this.#keep) return;
    this.#dropped += this.#entries.length - this.#keep;
    this.#entries = this.#entries.slice(-this.#keep);
  }
}

const shortened = (entry: TraceEntry): TraceEntry => ({
  ...entry,
  about: entry.about.replace(KEY, shortKey),
});

/** In columns: the moment in milliseconds, the node, what, and about what. */
export const traceLine = ({ atMs, node, what, about }: TraceEntry): string =>
  columns(moment(atMs), node, what, about);

/** What stands above the columns. */
export const traceHead = (): string => columns('MS'.padStart(12), 'NODE', 'WHAT', 'ABOUT');

const columns = (at: string, node: string, what: string, about: string): string =>
  `${at}  ${node.padEnd(6)}  ${what.padEnd(WHAT_WIDTH)}  ${about}`.trimEnd();

const WHAT_WIDTH = Math.max(...Object.keys(TRACE_WORDS).map((word) => word.length));

/** Milliseconds since the beginning, to the microsecond, in a column. */
const moment = (nowMs: number): string => nowMs.toFixed(3).padStart(12);
