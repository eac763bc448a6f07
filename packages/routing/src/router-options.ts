/** What a router can be told, with what holds unless it is; checked once, before anything is subscribed to. */
import { ClusterError, checkShapes, hasMethods, type Settings, SIGNAL } from '@rollcall/core';
import { roundRobin } from './even-strategies.js';
import { KEY, milliseconds, oneOf, PHI, ROLE, toggle, whole } from './option-kinds.js';
import type { Strategy } from './strategy.js';

export interface RouterOptions {
  /** `roundRobin()` unless given. One strategy object serves one router. */
  readonly strategy?: Strategy;
  /** Only members that offer this role; all members unless given. */
  readonly role?: string;
  /** This node gets all of it while it is a routee itself. Off: it is one among the others. Not with a strategy by key, nor with `broadcast`. */
  readonly preferLocal?: boolean;
  /**
   * Members whose phi at this node is at least this are left out while calmer ones are there, as `avoid$` has it: above
   * 0, 3 is a good one. Unless given, nobody is left out before the cluster convicts. Phi is this node's own, so with a
   * strategy by key two nodes may differ while somebody is under suspicion.
   */
  readonly avoidPhi?: number;
  /**
   * How much silence beyond the usual gap suspects nobody here, for `avoidPhi` and `leastSuspected`: 0 to `detector.acceptablePause`. Half a
   * `heartbeat.interval` unless given, or `detector.acceptablePause` if that is less: a router that is wrong about a member has sent some
   * messages elsewhere, so it needs none of the cluster's patience, and avoids a dead member seconds before it is convicted.
   */
  readonly avoidPauseMs?: number;
  /**
   * Members whose requests fail too often, as `cluster.health` knows, are left out while better ones are there. On, but off with a
   * strategy by key: it is this node's own experience, and two nodes might send one key to two members. Asks of routers are
   * reported to `cluster.health` by themselves: one that timed out or could not be sent is a failure, an answer is none.
   */
  readonly avoidDegraded?: boolean;
  /** Members that are weakly up are routees too. Off, because such a member came while others could not be reached, and its joining is not agreed on yet. */
  readonly includeWeaklyUp?: boolean;
  /** Members that are leaving get nothing while another can be reached. On: what is sent to them may outlive them. Off: they are routees until they exit. */
  readonly drainLeaving?: boolean;
  /**
   * What happens to a message when no routee can be reached. `throw`: it fails with `noRoutee` at once, the default, since
   * only the caller knows what waiting is worth. `wait`: it waits for one, up to `waitMs`. `useUnreachable`: it goes to
   * one that is held unreachable, which may be a mistake.
   */
  readonly whenNone?: 'throw' | 'wait' | 'useUnreachable';
  /** Longest wait, 1 to 86400000 ms; `messages.linkTimeout` unless given, as a message waits so long for a link as well. */
  readonly waitMs?: number;
  /** How many messages may wait, 1 to 1000000; more fail with `backPressure`. 1000 unless given: at some kilobytes each they are no burden. */
  readonly waitingMax?: number;
  /**
   * How often an ask that failed is sent to another routee, 0 to 10; 0 unless given, as only the caller knows which
   * asks may be done twice. Each `ask` may say it for itself.
   */
  readonly retries?: number;
}

export type CheckedRouterOptions = Required<Omit<RouterOptions, 'role' | 'avoidPhi'>> &
  Pick<RouterOptions, 'role' | 'avoidPhi'>;

export interface SendOptions {
  /** What the message is about; needed by strategies by key. */
  readonly key?: string;
  /** Gives up waiting for a routee. */
  readonly signal?: AbortSignal;
}

export interface RoutedAskOptions extends SendOptions {
  /** For each try; `messages.askTimeout` unless given. */
  readonly timeoutMs?: number;
  /** As the router's own, for this ask. Above 0 for what may be done twice only. */
  readonly retries?: number;
}

const SHAPES = {
  strategy: { takes: 'a strategy, such as roundRobin()', fits: hasMethods('over') },
  role: ROLE,
  preferLocal: toggle,
  avoidPhi: PHI,
  avoidPauseMs: milliseconds(0),
  avoidDegraded: toggle,
  includeWeaklyUp: toggle,
  drainLeaving: toggle,
  whenNone: oneOf('throw', 'wait', 'useUnreachable'),
  waitMs: milliseconds(1),
  waitingMax: whole(1, 1_000_000),
  retries: whole(0, 10),
};

const WAITING_MAX = 1_000;

/** Throws ClusterError `badSetting`. */
export function checkRouter(options: RouterOptions, settings: Settings): CheckedRouterOptions {
  checkShapes(options, SHAPES, "{ role: 'worker', strategy: roundRobin() }");
  const { strategy = roundRobin(), preferLocal = false, role, avoidPhi } = options;
  if (preferLocal && (strategy.takesKey === true || strategy.sendsToAll === true)) {
    const message = `preferLocal and ${strategy.name} exclude each other: it says itself who gets what`;
    throw new ClusterError('badSetting', message, { setting: 'preferLocal' });
  }
  const { messages, heartbeat, detector } = settings;
  const longestMs = detector.acceptablePause;
  const avoidPauseMs = options.avoidPauseMs ?? Math.min(longestMs, heartbeat.interval / 2);
  if (avoidPauseMs > longestMs) {
    const message = `avoidPauseMs is ${avoidPauseMs}, above detector.acceptablePause (${longestMs})`;
    throw new ClusterError('badSetting', message, { setting: 'avoidPauseMs' });
  }
  return {
    strategy,
    avoidPauseMs,
    preferLocal,
    avoidDegraded: options.avoidDegraded ?? strategy.takesKey !== true,
    includeWeaklyUp: options.includeWeaklyUp ?? false,
    drainLeaving: options.drainLeaving ?? true,
    whenNone: options.whenNone ?? 'throw',
    waitMs: options.waitMs ?? messages.linkTimeout,
    waitingMax: options.waitingMax ?? WAITING_MAX,
    retries: options.retries ?? 0,
    ...(role === undefined ? {} : { role }),
    ...(avoidPhi === undefined ? {} : { avoidPhi }),
  };
}

/** Throws ClusterError `badSetting`. */
export const checkSend = (options: SendOptions): void =>
  checkShapes(options, { key: KEY, signal: SIGNAL }, '{ key, signal }');

/** Throws ClusterError `badSetting`. */
export const checkRoutedAsk = (options: RoutedAskOptions): void =>
  checkShapes(
    options,
    { key: KEY, signal: SIGNAL, timeoutMs: milliseconds(1), retries: whole(0, 10) },
    '{ key, timeoutMs, retries, signal }',
  );
