/**
 * One node checks all others, as a load balancer's health checks do: everybody sends it a heartbeat, it
 * declares dead whom it does not hear, and an interval later everybody believes its list.
 */
import { BaselineNode, type BaselinePacket } from './baseline-node.js';

/** Who checks. */
export const CHECKER = 0;

export class CentralNode extends BaselineNode {
  protected tick(nowMs: number): void {
    const { self, nodes } = this.options;
    if (self !== CHECKER) {
      this.send(CHECKER, 'heartbeat');
      return;
    }
    for (let member = 1; member < nodes; member++) this.judge(member, nowMs);
    const list = [...this.isDead];
    for (let member = 1; member < nodes; member++) this.send(member, 'list', list);
  }

  protected receive({ kind, from, about }: BaselinePacket, nowMs: number): void {
    if (kind === 'heartbeat') {
      this.heard(from, nowMs);
      return;
    }
    about.forEach((isDead, member) => {
      this.hold(member, isDead === 1 ? 'dead' : 'alive');
    });
  }
}
