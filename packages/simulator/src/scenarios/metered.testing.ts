/**
 * Counts what nodes hold on to, from outside, at the ports they are given. Timers: armed, and neither
 * fired nor taken back. State: what a node says in a welcome, which is all that it replicates, members
 * and tombstones alike. It is handed to a simulation as its `startCluster`.
 */
import { type Clock, decode, type Message, startCluster, type Transport } from '@rollcall/core';
import type { StartCluster } from '../node-run.js';

type Patch = Extract<Message, { readonly kind: 'welcome' }>['patch'];

/** What a welcome holds. */
export interface Welcomed {
  readonly bytes: number;
  readonly members: number;
  readonly tombstones: number;
  /** Entries in rows: who holds whom unreachable. */
  readonly accusations: number;
}

export class Meters {
  /** Timers that each run has armed, by the address of the node. */
  readonly timers = new Map<string, Set<object>>();
  /** The most that any run ever had armed at once. */
  timersPeak = 0;
  lastWelcome: Welcomed | undefined;

  readonly startCluster: StartCluster = (options, ports) => {
    const armed = new Set<object>();
    const clock = this.#counting(ports.clock, armed);
    const transport = this.#listening(ports.transport, (address) => {
      this.timers.set(address, armed);
    });
    return startCluster(options, { ...ports, clock, transport });
  };

  #listening(inner: Transport, bound: (address: string) => void): Transport {
    return {
      listen: async (events) => {
        const address = await inner.listen(events);
        bound(address);
        return address;
      },
      send: (to, bytes, slot) => {
        const message = decode(bytes);
        if (message.kind === 'welcome') this.lastWelcome = measured(bytes, message.patch);
        inner.send(to, bytes, slot);
      },
      identify: (hello) => inner.identify(hello),
      link: (address) => inner.link(address),
      unlink: (address) => inner.unlink(address),
      drop: (peer, reason) => inner.drop(peer, reason),
      probe: (address, timeoutMs) => inner.probe(address, timeoutMs),
      prepare: (to, value) => inner.prepare(to, value),
      close: () => inner.close(),
    };
  }

  #counting(inner: Clock, armed: Set<object>): Clock {
    return {
      nowMs: () => inner.nowMs(),
      schedule: (afterMs, run) => {
        const timer = {};
        armed.add(timer);
        this.timersPeak = Math.max(this.timersPeak, armed.size);
        const takeBack = inner.schedule(afterMs, () => {
          armed.delete(timer);
          run();
        });
        return () => {
          armed.delete(timer);
          takeBack();
        };
      },
    };
  }
}

const measured = ({ length }: Uint8Array, { put, removed }: Patch): Welcomed => ({
  bytes: length,
  members: put.length,
  tombstones: removed.length,
  accusations: put.reduce((sum, { row }) => sum + row.unreachable.length, 0),
});
