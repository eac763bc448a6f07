/** One thing on its way from one socket to another. */
import type { Hello, NodeKey } from '@rollcall/core';
import type { PacketFacts, PacketKind } from './rule.js';
import { ScheduledEvent } from './scheduled-event.js';
import type { SimulatedSocket } from './simulated-socket.js';

/** What a packet says besides a frame's bytes. */
export type Note =
  /** For `dial`: who calls. A probe wants the other's hello and nothing else. */
  | { readonly kind: 'call'; readonly hello: Hello; readonly isProbe: boolean }
  /** For `answer`: come in; or not, for the reason that both hellos show; or not, because you are let in by a dial of mine. */
  | { readonly kind: 'welcome' | 'refused' | 'crossed'; readonly hello: Hello }
  /** For `datagram`: who says so, to whom. */
  | { readonly kind: 'cast'; readonly from: NodeKey; readonly to: NodeKey }
  /** For `message`: a value that has been through JSON. */
  | { readonly kind: 'value'; readonly value: unknown };

export class Packet extends ScheduledEvent implements PacketFacts {
  readonly kind: PacketKind;
  readonly from: string;
  readonly to: string;
  readonly sentAtMs: number;
  /** The socket it is addressed to. */
  readonly socket: SimulatedSocket;
  readonly bytes: Uint8Array | undefined;
  readonly note: Note | undefined;

  constructor(
    kind: PacketKind,
    socket: SimulatedSocket,
    sentAtMs: number,
    bytes: Uint8Array | undefined,
    note: Note | undefined,
  ) {
    super();
    this.kind = kind;
    this.from = socket.other.host;
    this.to = socket.host;
    this.sentAtMs = sentAtMs;
    this.socket = socket;
    this.bytes = bytes;
    this.note = note;
  }

  get sizeBytes(): number {
    return this.bytes?.length ?? 0;
  }

  /** The same once more, sharing nothing that the receiver could change. */
  copy(): Packet {
    return new Packet(this.kind, this.socket, this.sentAtMs, this.bytes?.slice(), this.note);
  }

  fire(): void {
    this.socket.receive(this);
  }
}
