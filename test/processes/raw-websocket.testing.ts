/**
 * A WebSocket made by hand, for whoever does not keep to the protocol: it says what a test wants it
 * to, whole frames or any bytes. It reads what is sent to it as text.
 */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Socket } from 'node:net';

export const TEXT = 1;
export const BINARY = 2;

export interface Upgraded {
  /** The HTTP status: 101 when there is a WebSocket now. */
  readonly status: number | undefined;
  readonly body: string;
  readonly socket: RawWebSocket | undefined;
}

/** Asks for a WebSocket as a node does, with more headers if need be. */
export function upgrade(
  port: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Upgraded> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
        'Sec-WebSocket-Protocol': 'rollcall.1',
        ...headers,
      },
    });
    asked.once('error', reject);
    asked.once('upgrade', ({ statusCode }, socket: Socket, head) => {
      resolve({ status: statusCode, body: '', socket: new RawWebSocket(socket, head) });
    });
    asked.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => {
        body += text;
      });
      response.once('end', () => resolve({ status: response.statusCode, body, socket: undefined }));
    });
    asked.end();
  });
}

export class RawWebSocket {
  /** The text messages that came. */
  readonly heard: string[] = [];
  isClosed = false;
  readonly #socket: Socket;
  #pending: Buffer;

  constructor(socket: Socket, head: Buffer) {
    this.#socket = socket;
    this.#pending = head;
    socket.on('data', (bytes) => {
      this.#pending = Buffer.concat([this.#pending, bytes]);
      this.#read();
    });
    // Being hung up on is to be expected.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.isClosed = true;
    });
    this.#read();
  }

  say(message: object): void {
    this.send(TEXT, Buffer.from(JSON.stringify(message)));
  }

  /** One frame, masked as those of a client must be. */
  send(opcode: number, payload: Buffer): void {
    const mask = randomBytes(4);
    const { length } = payload;
    const size =
      length < 126 ? Buffer.from([0x80 | length]) : Buffer.from([0xfe, length >> 8, length & 0xff]);
    const masked = payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0));
    this.sendBytes(Buffer.concat([Buffer.from([0x80 | opcode]), size, mask, masked]));
  }

  sendBytes(bytes: Buffer): void {
    if (!this.isClosed) this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Frames of a server have no mask; a handshake's are short. */
  #read(): void {
    for (;;) {
      const [first = 0, second = 0] = this.#pending;
      const start = second === 126 ? 4 : 2;
      if (this.#pending.length < start) return;
      const length = second === 126 ? this.#pending.readUInt16BE(2) : second;
      if (this.#pending.length < start + length) return;
      const payload = this.#pending.subarray(start, start + length);
      this.#pending = this.#pending.subarray(start + length);
      if ((first & 0x0f) === TEXT) this.heard.push(payload.toString());
    }
  }
}
