/**
 * The handshake of one connection, as a machine: texts in, texts and an outcome out. It knows no
 * socket and no time; `connection.ts` carries its texts and bounds how long it may take.
 *
 *     dialer                                   acceptor
 *       | hello: lane, nonce, who I am  -------->  |
 *       | <--------  hello: nonce, who I am        |   both ask `checkCluster`
 *       | prove: HMAC                   -------->  |   the dialer proves itself first, so that
 *       | <--------  welcome: HMAC                 |   nobody can collect proofs by dialling;
 *                                                    then both ask `checkSettings`
 *
 * Either end answers `refuse` instead and hangs up. A fresh nonce at each end rules out replay, the
 * role in the proof rules out reflection, and a proof made for one pair of nodes or for one TLS
 * connection is worth nothing on another (`handshake-proof.ts`). Without a secret the proofs are
 * empty and the exchange is the same.
 */
import {
  addressOf,
  checkCluster,
  checkSettings,
  type Hello,
  type NodeKey,
  type Refusal,
  type RefusalCode,
} from '@rollcall/core';
import { type Proof, readHandshake, showHandshake, type WireHello } from './handshake-message.js';
import { isProof, proofOf, type Role, type Transcript } from './handshake-proof.js';
import type { Lane } from './lane.js';

export interface HandshakeOptions {
  readonly role: Role;
  /** A dialer names one; an acceptor takes any of those that the path stands for. */
  readonly lanes: readonly Lane[];
  readonly hello: Hello;
  /** 32 fresh random bytes in base64url. */
  readonly nonce: string;
  readonly secret: string | undefined;
  readonly binding: Uint8Array | undefined;
  /** What the peer needs to send datagrams here; undefined if none are taken. */
  readonly tokenFor?: ((peer: NodeKey) => string | undefined) | undefined;
  /** A dialer may think better of it once it knows who answered. */
  readonly consider?:
    | ((peer: Hello, lane: Lane) => 'self' | 'linked' | 'other' | undefined)
    | undefined;
}

export type HandshakeOutcome =
  /** `token` is what it takes to send datagrams there. */
  | {
      readonly kind: 'open';
      readonly peer: Hello;
      readonly lane: Lane;
      readonly token: string | undefined;
    }
  /** `refusal` in this end's words; `ours` when this end refused, `peer` when it is known who. */
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      readonly ours: boolean;
      readonly peer: Hello | undefined;
    }
  /** Nobody refused: this end does not need the connection. */
  | { readonly kind: 'stopped'; readonly why: 'self' | 'linked' | 'other'; readonly peer: Hello }
  /** The peer does not keep to the protocol. */
  | { readonly kind: 'broken'; readonly message: string };

export interface HandshakeStep {
  readonly send: readonly string[];
  readonly outcome?: HandshakeOutcome;
}

export class Handshake {
  readonly #options: HandshakeOptions;
  /** What must come next; `nothing` once there is an outcome. */
  #expects: 'hello' | 'prove' | 'welcome' | 'nothing' = 'hello';
  #own = '';
  #peer: WireHello | undefined;
  #theirs = '';

  constructor(options: HandshakeOptions) {
    this.#options = options;
  }

  /** What a dialer says first; an acceptor waits to be spoken to. */
  start(): HandshakeStep {
    const { role, lanes } = this.#options;
    if (role === 'acceptor') return { send: [] };
    return { send: [this.#sayHello(lanes[0] ?? 'control')] };
  }

  receive(text: string): HandshakeStep {
    const message = readHandshake(text);
    if (this.#expects === 'nothing') return { send: [] };
    if (message.type === 'problem') return this.#broken(`the message ${message.message}`);
    if (message.type === 'refuse') return this.#refusedByPeer(message.code, message.message);
    if (message.type !== this.#expects)
      return this.#broken(`'${message.type}' came where '${this.#expects}' was due`);
    if (message.type === 'hello') return this.#meet(message, text);
    return message.type === 'prove' ? this.#admit(message) : this.#enter(message);
  }

  #sayHello(lane: Lane): string {
    const { hello, nonce, secret, binding } = this.#options;
    const [secured, tls] = [secret !== undefined, binding !== undefined];
    this.#own = showHandshake({ type: 'hello', hello, lane, nonce, secured, tls });
    return this.#own;
  }

  #meet(peer: WireHello, text: string): HandshakeStep {
    const { role, lanes, hello, consider } = this.#options;
    if (!lanes.includes(peer.lane))
      return this.#broken(`the lane '${peer.lane}' is not served here`);
    this.#peer = peer;
    this.#theirs = text;
    // Even to a peer that is refused the acceptor says hello: it can then see for itself what differs.
    const send = role === 'acceptor' ? [this.#sayHello(peer.lane)] : [];
    // A probe asks who is there, and an answer from another cluster is an answer.
    const isProbe = peer.lane === 'probe';
    if (peer.hello.self === hello.self && !isProbe) return this.#stopped('self', peer.hello, send);
    const differs = isProbe ? undefined : checkCluster(hello, peer.hello);
    const refusal = differs ?? this.#checkSecurity(peer);
    if (refusal) return this.#refuse(refusal.code, refusal.message, send);
    const why = consider?.(peer.hello, peer.lane);
    if (why) return this.#stopped(why, peer.hello, send);
    if (role === 'acceptor') {
      this.#expects = 'prove';
      return { send };
    }
    this.#expects = 'welcome';
    return { send: [this.#prove('prove')] };
  }

  /** A secret that one end has and the other lacks is not worth a guess at the proofs. */
  #checkSecurity(peer: WireHello): Pick<Refusal, 'code' | 'message'> | undefined {
    const { hello, secret, binding } = this.#options;
    const [here, there] = [addressOf(hello.self), addressOf(peer.hello.self)];
    const isSecured = secret !== undefined;
    if (isSecured !== peer.secured) {
      const [with_, without] = isSecured ? [here, there] : [there, here];
      return { code: 'secret', message: `${with_} asks for a secret and ${without} has none` };
    }
    const hasTls = binding !== undefined;
    if (isSecured && hasTls !== peer.tls) {
      const [with_, without] = hasTls ? [here, there] : [there, here];
      const message =
        `${with_} sees TLS and ${without} does not: something between them ends it, ` +
        'and a secret is proved over one TLS connection from end to end';
      return { code: 'secret', message };
    }
    return undefined;
  }

  /** Acceptor: the dialer has proved itself, or not. */
  #admit({ mac, token }: Proof): HandshakeStep {
    if (!this.#isProven(mac, 'dialer')) return this.#refuse('secret', this.#otherSecret(), []);
    const differs = this.#checkSettings();
    if (differs) return this.#refuse(differs.code, differs.message, []);
    return this.#open([this.#prove('welcome')], token);
  }

  /** Dialer: the acceptor lets us in; does it know the secret, or does it let in anybody? */
  #enter({ mac, token }: Proof): HandshakeStep {
    if (!this.#isProven(mac, 'acceptor')) return this.#refuse('secret', this.#otherSecret(), []);
    const differs = this.#checkSettings();
    return differs ? this.#refuse(differs.code, differs.message, []) : this.#open([], token);
  }

  #checkSettings(): Refusal | undefined {
    const peer = this.#peer as WireHello;
    const isProbe = peer.lane === 'probe';
    return isProbe ? undefined : checkSettings(this.#options.hello, peer.hello);
  }

  #prove(type: Proof['type']): string {
    const peer = this.#peer as WireHello;
    const mac = this.#proof(type === 'prove' ? 'dialer' : 'acceptor');
    const token = peer.lane === 'control' ? this.#options.tokenFor?.(peer.hello.self) : undefined;
    return showHandshake({ type, mac, token });
  }

  #open(send: readonly string[], token: string | undefined): HandshakeStep {
    const peer = this.#peer as WireHello;
    this.#expects = 'nothing';
    return { send, outcome: { kind: 'open', peer: peer.hello, lane: peer.lane, token } };
  }

  #otherSecret(): string {
    const there = addressOf((this.#peer as WireHello).hello.self);
    const between = this.#options.binding ? ', or something between them ends TLS' : '';
    return `${there} has another secret than ${addressOf(this.#options.hello.self)}${between}`;
  }

  #proof(prover: Role): string {
    const { role, secret, binding } = this.#options;
    if (secret === undefined) return '';
    const [dialerHello, acceptorHello] =
      role === 'dialer' ? [this.#own, this.#theirs] : [this.#theirs, this.#own];
    const transcript: Transcript = { dialerHello, acceptorHello, binding };
    return proofOf(secret, prover, transcript);
  }

  #isProven(mac: string, prover: Role): boolean {
    return this.#options.secret === undefined || isProof(mac, this.#proof(prover));
  }

  #refuse(code: RefusalCode, message: string, said: readonly string[]): HandshakeStep {
    const send = [...said, showHandshake({ type: 'refuse', code, message })];
    return { send, outcome: this.#refused(code, message, true) };
  }

  #refusedByPeer(code: RefusalCode, message: string): HandshakeStep {
    return { send: [], outcome: this.#refused(code, message, false) };
  }

  /**
   * Both ends judge the same two hellos, so to a dialer it is always the peer that will not have it,
   * whoever noticed first. An acceptor names itself for what it refuses.
   */
  #refused(code: RefusalCode, message: string, ours: boolean): HandshakeOutcome {
    this.#expects = 'nothing';
    const { role, hello } = this.#options;
    const there = this.#peer ? addressOf(this.#peer.hello.self) : '';
    const by = role === 'acceptor' && ours ? addressOf(hello.self) : there;
    return { kind: 'refused', refusal: { code, message, by }, ours, peer: this.#peer?.hello };
  }

  #stopped(why: 'self' | 'linked' | 'other', peer: Hello, send: readonly string[]): HandshakeStep {
    this.#expects = 'nothing';
    return { send, outcome: { kind: 'stopped', why, peer } };
  }

  #broken(message: string): HandshakeStep {
    this.#expects = 'nothing';
    const send = [showHandshake({ type: 'refuse', code: 'badFrame', message })];
    return { send, outcome: { kind: 'broken', message } };
  }
}
