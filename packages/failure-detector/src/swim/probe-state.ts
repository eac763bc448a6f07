/** The one probe a node has under way: whom it asks, since when, and what it has heard. */
import type { SwimMemberId } from './swim-message.js';

export class Probe {
  /** -1 when none is under way. */
  target: SwimMemberId = -1;
  /** The one that was given out last, to a probe or to a relay. */
  seq = 0;
  /** Of this probe. */
  ownSeq = 0;
  /** When helpers are to be asked, and after that, when it has failed; Infinity when none is under way. */
  dueMs = Number.POSITIVE_INFINITY;
  endMs = Number.POSITIVE_INFINITY;
  askedHelpers = false;
  /** How many helpers were asked, and how many have said that the target does not answer. */
  helpers = 0;
  nacks = 0;

  get isUnderWay(): boolean {
    return this.target >= 0;
  }

  begin(target: SwimMemberId, timeoutAtMs: number, endMs: number): void {
    this.target = target;
    this.ownSeq = this.nextSeq();
    this.dueMs = timeoutAtMs;
    this.endMs = endMs;
    this.askedHelpers = false;
    this.helpers = 0;
    this.nacks = 0;
  }

  end(): void {
    this.target = -1;
    this.dueMs = Number.POSITIVE_INFINITY;
  }

  /** Never 0, and small for as long as a process lives. */
  nextSeq(): number {
    this.seq = this.seq === 0xffff_ffff ? 1 : this.seq + 1;
    return this.seq;
  }
}
