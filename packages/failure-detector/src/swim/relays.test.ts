import { describe, expect, it } from 'vitest';
import { type Relay, Relays } from './relays.js';

const relay = (seq: number, nackAtMs: number): Relay => ({
  seq,
  requester: 1,
  requesterSeq: seq + 100,
  target: 2,
  nackAtMs,
  forgetAtMs: nackAtMs + 600,
});

describe('relays', () => {
  it('come due in order, and those that were answered do not', () => {
    const relays = new Relays();
    for (const seq of [1, 2, 3]) relays.add(relay(seq, 400 + seq), 0);
    expect(relays.dueMs).toBe(401);
    expect(relays.answered(2, 2)?.requesterSeq).toBe(102);
    expect([relays.takeDue(), relays.takeDue(), relays.takeDue()].map((due) => due?.seq)).toEqual([
      1,
      undefined,
      3,
    ]);
    expect(relays.dueMs).toBe(Number.POSITIVE_INFINITY);
    expect(relays.takeDue()).toBeUndefined();
  });

  it('take an answer from whom was asked alone, once, and also after the nack', () => {
    const relays = new Relays();
    relays.add(relay(1, 400), 0);
    relays.takeDue();
    expect(relays.answered(1, 9)).toBeUndefined();
    expect(relays.answered(1, 2)?.seq).toBe(1);
    expect(relays.answered(1, 2)).toBeUndefined();
  });

  it('are forgotten after a while, and never more than a thousand or so', () => {
    const relays = new Relays();
    for (let seq = 0; seq < 5_000; seq++) relays.add(relay(seq, 400), 0);
    expect(relays.size).toBeLessThanOrEqual(1_024);
    while (relays.dueMs < 1_000) relays.takeDue();
    relays.add(relay(9_999, 5_000), 4_000);
    expect(relays.size).toBe(1);
  });
});
