/**
 * Small frames beside the links. TCP holds back all that follows a lost segment, and waits twice as long after each
 * further loss; a datagram is lost alone, so that asking again soon gets through where a link stands still for seconds.
 * memberlist and SWIM probe by UDP for the same reason.
 *
 *     version 1 | length of the sender's key 2 | number 6 | the sender's key | seal 16 | frame
 *
 * Only who has had a control link may send any: while shaking hands each end gives the other a token, which stays the same
 * however often they dial each other. The seal is HMAC-SHA256 under the receiver's token for that sender, and the secret if
 * there is one, over all the others; over TLS nobody else has seen the token. So a datagram is worth nothing to another node, to
 * another run of the same, or from somebody else; nor a second time, as numbers only rise. One that was overtaken is lost.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns';
import { type AddressInfo, isIP, isIPv4, isIPv6 } from 'node:net';
import { addressOf, type Hello, type NodeKey } from '@rollcall/core';
import { readAddress } from './address.js';
import { TokenBucket } from './token-bucket.js';
import type { TransportContext } from './transport-context.js';

const VERSION = 1;
const HEAD_BYTES = 9;
const SEAL_BYTES = 16;
/** A hello takes keys of 512 characters. */
const KEY_BYTES_MAX = 2_048;
const TOKEN = /^[\w-]{43}$/;

/** 32 random bytes in base64url. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && TOKEN.test(value);

/** Whom this node takes datagrams from. */
interface Sender {
  readonly key: Uint8Array;
  readonly bucket: TokenBucket;
  last: number;
}

/** Who takes some from this node. */
interface Receiver {
  readonly key: Uint8Array;
  readonly host: string;
  readonly port: number;
}

/** A peer whose control link has opened. */
export interface Met {
  readonly peer: NodeKey;
  /** What it gave; undefined if it takes none. */
  readonly token: string | undefined;
  /** The IP at its other end, and whether that was dialled: where a name leads, then. */
  readonly remote: string | undefined;
  readonly isDialled: boolean;
}

export interface DatagramOwner {
  frame(from: NodeKey, bytes: Uint8Array): void;
  /** It could not be sent: nobody there speaks IPv6, say. */
  unsendable(to: NodeKey, bytes: Uint8Array): void;
  isLinked(peer: NodeKey): boolean;
}

export class Datagrams {
  readonly #context: Omit<TransportContext, 'datagrams'>;
  readonly #owner: DatagramOwner;
  /** The longest ago met first; beyond `limits.peers` the first without a link goes. */
  readonly #senders = new Map<NodeKey, Sender>();
  readonly #receivers = new Map<NodeKey, Receiver>();
  #self: NodeKey = '';
  #tokens = randomBytes(32);
  #number = 0;
  #socket: Socket | undefined;
  #isIPv6 = false;
  #isClosed = false;

  constructor(context: Omit<TransportContext, 'datagrams'>, owner: DatagramOwner) {
    this.#context = context;
    this.#owner = owner;
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
    if (this.#isClosed) this.close();
  }

  /** Another name, another run: what was told the earlier one is void. */
  identify({ self }: Hello): void {
    if (self === this.#self) return;
    this.#self = self;
    this.#tokens = randomBytes(32);
    this.#senders.clear();
    this.#receivers.clear();
  }

  /** What that node needs to send datagrams here, which it may as soon as it is met; undefined if none are taken. */
  tokenFor(peer: NodeKey): string | undefined {
    if (this.#socket === undefined) return undefined;
    return createHmac('sha256', this.#tokens).update(peer).digest('base64url');
  }

  met({ peer, token, remote, isDialled }: Met): void {
    const own = this.tokenFor(peer);
    if (own !== undefined) this.#take(peer, own);
    this.#receivers.delete(peer);
    const endpoint = readAddress(addressOf(peer));
    if (token === undefined || endpoint === undefined || endpoint.port === 0) return;
    const { host, port } = endpoint;
    const self = this.#self;
    const reaches = (ip: string): void => {
      if (this.#self === self) this.#reaches(peer, token, ip, port);
    };
    if (isIP(host) !== 0) reaches(host);
    else if (isDialled && remote !== undefined) reaches(remote);
    // Whoever dialled may have done so from another address than it listens at.
    else lookup(host, this.#isIPv6 ? {} : { family: 4 }, (_, ip) => ip && reaches(ip));
  }

  #take(peer: NodeKey, token: string): void {
    const { clock, limits } = this.#context;
    const known = this.#senders.get(peer);
    const sender = known ?? {
      key: this.#keyOf(token),
      bucket: new TokenBucket(limits.framesPerSecond, clock.nowMs()),
      last: 0,
    };
    this.#note(this.#senders, peer, sender);
  }

  #reaches(peer: NodeKey, token: string, ip: string, port: number): void {
    const host = this.#spelt(ip);
    // A socket for IPv4 gets nowhere else.
    if (isIPv6(host) && !this.#isIPv6) return;
    this.#note(this.#receivers, peer, { key: this.#keyOf(token), host, port });
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
    head.writeUIntBE(++this.#number, 3, 6);
    const sealed = [head, self, sealOf(receiver.key, [head, self, bytes]), bytes];
    counts.datagramsSent += 1;
    socket.send(sealed, receiver.port, receiver.host, (error) => {
      if (error !== null) this.#owner.unsendable(to, bytes);
    });
    return true;
  }

  close(): void {
    this.#isClosed = true;
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
    read.sender.last = read.number;
    counts.datagramsReceived += 1;
    this.#owner.frame(read.from, new Uint8Array(read.frame));
  }

  #read(
    bytes: Buffer,
  ): { from: NodeKey; sender: Sender; number: number; frame: Uint8Array } | undefined {
    if (bytes.length < HEAD_BYTES || bytes.readUInt8() !== VERSION) return undefined;
    const keyLength = bytes.readUInt16BE(1);
    if (keyLength > KEY_BYTES_MAX) return undefined;
    const sealAt = HEAD_BYTES + keyLength;
    const frameAt = sealAt + SEAL_BYTES;
    if (bytes.length <= frameAt) return undefined;
    const from = bytes.toString('utf8', HEAD_BYTES, sealAt);
    // Whoever is not known costs no more than this.
    const sender = this.#senders.get(from);
    const number = bytes.readUIntBE(3, 6);
    if (sender === undefined || number <= sender.last) return undefined;
    const frame = bytes.subarray(frameAt);
    const seal = sealOf(sender.key, [bytes.subarray(0, sealAt), frame]);
    return timingSafeEqual(seal, bytes.subarray(sealAt, frameAt))
      ? { from, sender, number, frame }
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
    if (notes.size <= this.#context.limits.peers) return;
    for (const other of notes.keys()) {
      if (other === peer || this.#owner.isLinked(other)) continue;
      notes.delete(other);
      return;
    }
  }
}

function sealOf(key: Uint8Array, parts: readonly Uint8Array[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest().subarray(0, SEAL_BYTES);
}
