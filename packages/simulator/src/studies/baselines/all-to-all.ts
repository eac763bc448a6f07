/** Everybody tells everybody that it lives: n (n - 1) messages an interval, and each judges for itself. */
import { BaselineNode, type BaselinePacket } from './baseline-node.js';

export class AllToAllNode extends BaselineNode {
  protected tick(nowMs: number): void {
    const { self, nodes } = this.options;
    for (let member = 0; member < nodes; member++) {
      if (member === self) continue;
      this.judge(member, nowMs);
      this.send(member, 'heartbeat');
    }
  }

  protected receive({ from }: BaselinePacket, nowMs: number): void {
    this.heard(from, nowMs);
  }
}
