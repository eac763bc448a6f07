/**
 * What happened, one line per event, in the order it happened: a moment, a node, what, and about
 * what. The same seed gives the same lines byte for byte, so two traces can be compared with diff.
 */
import { shortKey } from './node-name.js';
import type { Packet } from './packet.js';

/** `none`; `events`: what people did, membership and links; `frames`: every packet as well. */
export type TraceDetail = 'none' | 'events' | 'frames';

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
  #lines: string[] = [];
  #dropped = 0;

  constructor(options: TraceOptions, nowMs: () => number) {
    this.#detail = options.detail;
    this.#keep = options.keep;
    this.#nowMs = nowMs;
    this.showsFrames = options.detail === 'frames';
  }

  /** Lines that are kept no longer. */
  get dropped(): number {
    return this.#dropped + Math.max(0, this.#lines.length - this.#kept().length);
  }

  add(node: string, what: string, about = ''): void {
    if (this.#detail === 'none') return;
    this.#push(`${moment(this.#nowMs())}  ${node.padEnd(6)}  ${what.padEnd(12)}  ${about}`);
  }

  /** A packet that was sent, and when it will arrive; never, if a rule dropped it. */
  packet(packet: Packet, arrivesAtMs: number | undefined): void {
    const first = packet.bytes?.[0];
    const what = first === undefined ? packet.kind : `frame ${first} (${packet.sizeBytes} B)`;
    const fate =
      arrivesAtMs === undefined
        ? 'dropped'
        : `arrives ${(arrivesAtMs - packet.sentAtMs).toFixed(3)} ms later`;
    this.add(packet.from, `-> ${packet.to}`, `${what} ${fate}`);
  }

  /** The lines that are kept, addresses and keys shortened to what a person would say. */
  lines(): readonly string[] {
    return this.#kept().map((line) => line.trimEnd().replace(KEY, shortKey));
  }

  /** The last so many of them. */
  tail(count: number): readonly string[] {
    const shown = this.#lines.slice(-count);
    return shown.map((line) => line.trimEnd().replace(KEY, shortKey));
  }

  #kept(): readonly string[] {
    const surplus = this.#keep === 0 ? 0 : this.#lines.length - this.#keep;
    return surplus > 0 ? this.#lines.slice(surplus) : this.#lines;
  }

  /** Cut back rarely: once twice as many lines as are kept have come together. */
  #push(line: string): void {
    this.#lines.push(line);
    if (this.#keep === 0 || this.#lines.length < 2 * this.#keep) return;
    this.#dropped += this.#lines.length - this.#keep;
    this.#lines = this.#lines.slice(-this.#keep);
  }
}

/** Milliseconds since the beginning, to the microsecond, in a column. */
const moment = (nowMs: number): string => nowMs.toFixed(3).padStart(12);
