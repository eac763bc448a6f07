/** Whoever may connect: a bare WebSocket that says what a test wants it to say, even after a true handshake. */
import { randomBytes } from 'node:crypto';
import type { Hello } from '@rollcall/core';
import { WebSocket } from 'ws';
import { Handshake } from './handshake.js';
import { type Lane, pathOf, SUBPROTOCOL } from './lane.js';
import { until } from './test-node.testing.js';

export class RawPeer {
  readonly ws: WebSocket;
  readonly heard: (string | Buffer)[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  /** The HTTP answer, when there was one instead of a WebSocket. */
  answer: { readonly status: number; readonly body: string } | undefined;

  constructor(address: string, path = '/', headers: Readonly<Record<string, string>> = {}) {
    this.ws = new WebSocket(`${address}${path}`, [SUBPROTOCOL], { headers });
    this.ws.on('message', (data: Buffer, isBinary) => {
      this.heard.push(isBinary ? data : data.toString());
    });
    this.ws.on('error', () => {});
    this.ws.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
    this.ws.on('unexpected-response', (_, response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => {
        this.answer = { status: response.statusCode ?? 0, body: body.trim() };
      });
    });
  }

  async open(): Promise<this> {
    await until('a WebSocket', () => this.ws.readyState === WebSocket.OPEN);
    return this;
  }

  /** What it heard as handshake messages. */
  get said(): { readonly type: string; readonly code?: string; readonly message?: string }[] {
    return this.heard.filter((one) => typeof one === 'string').map((text) => JSON.parse(text));
  }

  /** Shakes hands as `hello`; resolves when it is let in. */
  static async letIn(
    address: string,
    hello: Hello,
    lane: Lane = 'control',
    secret?: string,
  ): Promise<RawPeer> {
    const peer = await new RawPeer(address, pathOf[lane]).open();
    const nonce = randomBytes(32).toString('base64url');
    const role = 'dialer' as const;
    const handshake = new Handshake({
      role,
      lanes: [lane],
      hello,
      nonce,
      secret,
      binding: undefined,
    });
    for (const text of handshake.start().send) peer.ws.send(text);
    for (let n = 0; n < 2; n += 1) {
      await until('an answer', () => peer.heard.length > n);
      const { send } = handshake.receive(String(peer.heard[n]));
      for (const text of send) peer.ws.send(text);
    }
    return peer;
  }
}
