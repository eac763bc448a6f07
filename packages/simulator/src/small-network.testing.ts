/** For tests: a few transports on one network, with what each was told written down. */
import {
  type Hello,
  nodeKey,
  PROTOCOL,
  readSettings,
  type Settings,
  type TransportEvents,
} from '@rollcall/core';
import { Counters } from './counters.js';
import { addressFor, shortKey } from './node-name.js';
import type { Distribution } from './rule.js';
import { Scheduler } from './scheduler.js';
import { SeededRandom } from './seeded-random.js';
import { SimulatedClock } from './simulated-clock.js';
import { SimulatedNetwork } from './simulated-network.js';
import { SimulatedTransport } from './simulated-transport.js';
import { Trace } from './trace.js';

const helloOf = (name: string, uid: string, more: Partial<Hello> = {}): Hello => ({
  cluster: 'test',
  protocol: PROTOCOL,
  self: nodeKey(addressFor(name), uid),
  settings: [],
  ...more,
});

/** One process with a transport. */
export interface SmallNode {
  readonly name: string;
  readonly hello: Hello;
  readonly clock: SimulatedClock;
  readonly transport: SimulatedTransport;
  readonly counters: Counters;
  /** What the transport told, each with its moment. */
  readonly told: string[];
  /** The frames it got. */
  readonly frames: Uint8Array[];
  readonly messages: unknown[];
}

export class SmallNetwork {
  readonly scheduler = new Scheduler();
  readonly trace = new Trace({ detail: 'frames', keep: 0 }, () => this.scheduler.nowMs);
  readonly network: SimulatedNetwork;

  constructor(oneWay: Distribution = 1) {
    this.network = new SimulatedNetwork(
      this.scheduler,
      new SeededRandom(5, 'network'),
      this.trace,
      oneWay,
    );
  }

  /** A process that listens and knows who it is. */
  node(name: string, uid = '1', more: Partial<Hello> = {}): SmallNode {
    const made = this.silentNode(name, uid, more);
    void made.transport.listen(this.#recorder(made));
    made.transport.identify(made.hello);
    return made;
  }

  /** A process that does not listen yet. */
  silentNode(name: string, uid = '1', more: Partial<Hello> = {}): SmallNode {
    const clock = new SimulatedClock(this.scheduler);
    const counters = new Counters();
    const limits: Settings['limits'] = readSettings().limits;
    const transport = new SimulatedTransport({
      host: name,
      address: addressFor(name),
      network: this.network,
      clock,
      random: new SeededRandom(5, name, uid),
      limits,
      counters,
      trace: this.trace,
      settleSoon: () => {},
    });
    const hello = helloOf(name, uid, more);
    return { name, hello, clock, transport, counters, told: [], frames: [], messages: [] };
  }

  run(ms: number): void {
    this.scheduler.walk(this.scheduler.nowMs + ms);
  }

  kill(node: SmallNode): void {
    node.clock.stop();
    node.transport.abort();
  }

  #recorder(node: SmallNode): TransportEvents {
    const tell = (text: string) => void node.told.push(`${this.scheduler.nowMs} ${text}`);
    return {
      linkUp: (peer, dialled) => tell(`up ${shortKey(peer.self)}${dialled ? ' dialled' : ''}`),
      linkDown: (peer) => tell(`down ${shortKey(peer)}`),
      frame: (_, bytes) => void node.frames.push(bytes),
      dialFailed: (address, failure) =>
        tell(`failed ${shortKey(address)} ${failure.refusal?.code ?? failure.code}`),
      message: (_, value) => void node.messages.push(value),
    };
  }
}
