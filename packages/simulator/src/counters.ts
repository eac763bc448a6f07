/** What one node has put on the wire, by the first byte of its frames, and the connections it holds. */

export interface Traffic {
  readonly frames: number;
  readonly bytes: number;
}

export class Counters {
  /** By the first byte of a frame, which names its kind. */
  readonly framesByKind = new Float64Array(256);
  readonly bytesByKind = new Float64Array(256);
  framesSent = 0;
  bytesSent = 0;
  framesReceived = 0;
  /** Frames for which there was no link. */
  framesUnsent = 0;
  messagesSent = 0;
  dials = 0;
  refusals = 0;
  connections = 0;
  connectionsPeak = 0;

  sent(bytes: Uint8Array): void {
    const kind = bytes[0] ?? 0;
    this.framesSent++;
    this.bytesSent += bytes.length;
    this.framesByKind[kind] = (this.framesByKind[kind] ?? 0) + 1;
    this.bytesByKind[kind] = (this.bytesByKind[kind] ?? 0) + bytes.length;
  }

  connected(change: 1 | -1): void {
    this.connections += change;
    this.connectionsPeak = Math.max(this.connectionsPeak, this.connections);
  }

  /** Frames and bytes of each kind that was sent at all. */
  byKind(): ReadonlyMap<number, Traffic> {
    const kinds = new Map<number, Traffic>();
    this.framesByKind.forEach((frames, kind) => {
      if (frames > 0) kinds.set(kind, { frames, bytes: this.bytesByKind[kind] ?? 0 });
    });
    return kinds;
  }
}
