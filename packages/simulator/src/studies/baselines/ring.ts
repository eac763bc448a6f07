/**
 * Each node is watched by the one before it alone, which tells everybody what it finds. A watcher looks
 * past those it holds dead, so that a row of them does not hide the next.
 */
import { BaselineNode, type BaselinePacket } from './baseline-node.js';

export class RingNode extends BaselineNode {
  #watched = -1;

  protected tick(nowMs: number): void {
    const { self } = this.options;
    const watched = this.#next(nowMs);
    this.judge(watched, nowMs);
    if (this.isDead[watched] === 1) this.#tellAll(watched, 1);
    // Those in between are asked as well: that is how they come back.
    for (let member = this.#after(self); ; member = this.#after(member)) {
      this.send(member, 'ping');
      if (member === watched || member === self) break;
    }
  }

  protected receive({ kind, from, about }: BaselinePacket, nowMs: number): void {
    if (kind === 'ping') {
      this.send(from, 'pong');
    } else if (kind === 'pong') {
      this.heardMs[from] = nowMs;
      if (this.hold(from, 'alive')) this.#tellAll(from, 0);
    } else {
      const [member = 0, isDead = 0] = about;
      if (member !== this.options.self) this.hold(member, isDead === 1 ? 'dead' : 'alive');
    }
  }

  /** The next that is not held dead; it has the whole patience from when it is watched. */
  #next(nowMs: number): number {
    const { self } = this.options;
    let member = this.#after(self);
    while (member !== self && this.isDead[member] === 1) member = this.#after(member);
    if (member === self) member = this.#after(self);
    if (member !== this.#watched) {
      this.#watched = member;
      this.heardMs[member] = nowMs;
    }
    return member;
  }

  #after(member: number): number {
    return (member + 1) % this.options.nodes;
  }

  #tellAll(member: number, isDead: 0 | 1): void {
    const { self, nodes } = this.options;
    for (let to = 0; to < nodes; to++) if (to !== self) this.send(to, 'news', [member, isDead]);
  }
}
