/**
 * Gossip of heartbeat counters (van Renesse, Minsky and Hayden, "A Gossip-Style Failure Detection Service",
 * 1998): once an interval each node raises its own counter and sends all counters to one other, chosen by chance;
 * the higher one counts, and a member whose counter has not risen for too long is dead.
 */
import { BaselineNode, type BaselineOptions, type BaselinePacket } from './baseline-node.js';

export class CounterGossipNode extends BaselineNode {
  readonly #counters: number[];

  constructor(options: BaselineOptions) {
    super(options);
    this.#counters = Array.from({ length: options.nodes }, () => 0);
  }

  protected tick(nowMs: number): void {
    const { self, nodes, chance } = this.options;
    this.#counters[self] = (this.#counters[self] as number) + 1;
    for (let member = 0; member < nodes; member++) if (member !== self) this.judge(member, nowMs);
    const drawn = Math.floor(chance.next() * (nodes - 1));
    this.send(drawn < self ? drawn : drawn + 1, 'counters', [...this.#counters]);
  }

  protected receive({ about }: BaselinePacket, nowMs: number): void {
    about.forEach((counter, member) => {
      if (member === this.options.self || counter <= (this.#counters[member] as number)) return;
      this.#counters[member] = counter;
      this.heard(member, nowMs);
    });
  }
}
