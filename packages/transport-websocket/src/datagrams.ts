/**
 * Small frames beside the links. TCP holds back all that follows a lost segment, and waits twice as long after each
 * further loss; a datagram is lost alone, so that asking again soon gets through where a link stands still for seconds.
 * memberlist and SWIM probe by UDP for the same reason.
 *
 *     version 1 | length of the sender's key 2 | the sender's key | seal 16 | frame
 *
 * Only who has had a control link may send any: while shaking hands each end gives the other a token, which stays the same
 * however often they dial each other. The seal is HMAC-SHA256 under the receiver's token for that sender, and the secret if
 * there is one, over all before it and the frame; over TLS nobody else has seen the token. So a datagram is worth
 * nothing to another node, to another run of the same, or from somebody else. One that is repeated by somebody is a frame that came
 * twice, which the protocol allows for.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { type AddressInfo, isIP, isIPv4 } from 'node:net';
import { addressOf, type Hello, type NodeKey } from '@rollcall/core';
import { readAddress } from './address.js';
import { TokenBucket } from './token-bucket.js';
import type { TransportContext } from './transport-context.js';

const VERSION = 1;
const HEAD_BYTES = 3;
const SEAL_BYTES = 16;
const TOKEN = /^[\w-]{43}$/;

/** 32 random bytes in base64url. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && TOKEN.test(value);

/** Whom this node has given a token. */
interface Sender {
  readonly token: string;
  readonly key: Uint8Array;
  readonly bucket: TokenBucket;
}

/** Who has given this node one. */
interface Receiver {
  readonly key: Uint8Array;
  readonly host: string;
  readonly port: number;
}

export class Datagrams {
  readonly #context: Omit<TransportContext, 'datagrams'>;
  readonly #frame: (from: NodeKey, bytes: Uint8Array) => void;
  /** The longest ago met first: of as many as `limits.peers`. */
  readonly #senders = new Map<NodeKey, Sender>();
  readonly #receivers = new Map<NodeKey, Receiver>();
  #self: NodeKey = '';
  #socket: Socket | undefined;
  #isIPv6 = false;

  constructor(
    context: Omit<TransportContext, 'datagrams'>,
    frame: (from: NodeKey, bytes: Uint8Array) => void,
  ) {
    this.#context = context;
    this.#frame = frame;
  }

  /** Binds where the listening socket is bound. Where that cannot be had this node goes without. */
  async open({ address, port, family }: AddressInfo): Promise<void> {
    const { limits, log } = this.#context;
    if (limits.datagramBytes === 0) return;
    this.#isIPv6 = family === 'IPv6';
    const socket = createSocket(this.#isIPv6 ? 'udp6' : 'udp4');
    const problem = await new Promise<Error | undefined>((resolve) => {
      socket.once('error', resolve);
      socket.bind(port, address, () => resolve(undefined));
    });
    if (problem !== undefined) {
      socket.close();
      const message = `probes go over links alone, as UDP port ${port} cannot be had: ${problem.message}`;
      return log.warn('datagrams', { address, port }, message);
    }
    socket.removeAllListeners('error');
    socket.on('error', (error) => log.warn('datagrams', {}, `a datagram: ${error.message}`));
    socket.on('message', (bytes) => this.#receive(bytes));
    this.#socket = socket;
  }

  /** Another name, another run: what was told the earlier one is void. */
  identify({ self }: Hello): void {
    if (self === this.#self) return;
    this.#self = self;
    this.#senders.clear();
    this.#receivers.clear();
  }

  /** What that node needs to send datagrams here; undefined if none are taken. */
  tokenFor(peer: NodeKey): string | undefined {
    if (this.#socket === undefined) return undefined;
    const { clock, limits } = this.#context;
    const known = this.#senders.get(peer);
    const token = known?.token ?? randomBytes(32).toString('base64url');
    const sender = known ?? {
      token,
      key: this.#keyOf(token),
      bucket: new TokenBucket(limits.framesPerSecond, clock.nowMs()),
    };
    this.#note(this.#senders, peer, sender);
    return token;
  }

  /** A control link to this peer is open: `token` is what it gave, `remote` the IP at its other end. */
  met(peer: NodeKey, token: string | undefined, remote: string | undefined): void {
    const endpoint = readAddress(addressOf(peer));
    if (token === undefined || endpoint === undefined) return void this.#receivers.delete(peer);
    // A name is not looked up for each: this is where it led.
    const host = isIP(endpoint.host) === 0 ? remote : endpoint.host;
    if (host === undefined) return;
    this.#note(this.#receivers, peer, {
      key: this.#keyOf(token),
      host: this.#spelt(host),
      port: endpoint.port,
    });
  }

  /** False to whom it does not know how, and for what is too large. */
  send(to: NodeKey, bytes: Uint8Array): boolean {
    const { counts, limits } = this.#context;
    const receiver = this.#receivers.get(to);
    const socket = this.#socket;
    if (!socket || !receiver || bytes.length > limits.datagramBytes) return false;
    const self = Buffer.from(this.#self);
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt8(VERSION);
    head.writeUInt16BE(self.length, 1);
    const sealed = [head, self, sealOf(receiver.key, [head, self, bytes]), bytes];
    counts.datagramsSent += 1;
    // Whether it leaves is as little known as whether it arrives.
    socket.send(sealed, receiver.port, receiver.host, () => {});
    return true;
  }

  close(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }

  #receive(bytes: Buffer): void {
    const { clock, counts } = this.#context;
    const read = this.#read(bytes);
    if (read === undefined || !read.sender.bucket.take(clock.nowMs())) {
      counts.datagramsIgnored += 1;
      return;
    }
    counts.datagramsReceived += 1;
    this.#frame(read.from, new Uint8Array(read.frame));
  }

  #read(bytes: Buffer): { from: NodeKey; sender: Sender; frame: Uint8Array } | undefined {
    if (bytes.length < HEAD_BYTES || bytes.readUInt8() !== VERSION) return undefined;
    const sealAt = HEAD_BYTES + bytes.readUInt16BE(1);
    const frameAt = sealAt + SEAL_BYTES;
    if (bytes.length <= frameAt) return undefined;
    const from = bytes.toString('utf8', HEAD_BYTES, sealAt);
    // Whoever is not known costs no more than this.
    const sender = this.#senders.get(from);
    if (sender === undefined) return undefined;
    const frame = bytes.subarray(frameAt);
    const seal = sealOf(sender.key, [bytes.subarray(0, sealAt), frame]);
    return timingSafeEqual(seal, bytes.subarray(sealAt, frameAt))
      ? { from, sender, frame }
      : undefined;
  }

  #keyOf(token: string): Uint8Array {
    const { secret = '' } = this.#context;
    return createHmac('sha256', secret).update(`rollcall datagram ${token}`).digest();
  }

  /** An IPv4 address as this socket takes it. */
  #spelt(host: string): string {
    const plain = host.replace(/^::ffff:(?=\d+\.)/, '');
    return this.#isIPv6 && isIPv4(plain) ? `::ffff:${plain}` : plain;
  }

  #note<T>(notes: Map<NodeKey, T>, peer: NodeKey, note: T): void {
    notes.delete(peer);
    notes.set(peer, note);
    const [oldest] = notes.keys();
    if (notes.size > this.#context.limits.peers && oldest !== undefined) notes.delete(oldest);
  }
}

function sealOf(key: Uint8Array, parts: readonly Uint8Array[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest().subarray(0, SEAL_BYTES);
}
