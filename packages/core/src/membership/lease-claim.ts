/**
 * Two equal halves, and only the lease can say which one stays (docs/PROTOCOL.md, "Downing"). Every
 * voter of a half that agrees on it asks, with itself as the owner; the one to whom it is granted
 * says so in its row, and with that row its half wins. A half that is told of an owner on the other
 * side stops. A lease that does not answer is asked again; whoever hears nothing ends by own fate.
 *
 * The lease is the user's: what it answers may be anything. Only a voter of the configuration can
 * have been granted it, so any other answer is no grant but a fault of the lease, and is asked again.
 */
import {
  addressOf,
  type Digest,
  type Downing,
  holdLease,
  type NodeKey,
  ties,
} from '@rollcall/convergence';
import { commit } from './commit.js';
import type { Input } from './input.js';
import type { Node } from './node.js';

export interface LeaseClaim {
  /** Whom it can be granted to. */
  readonly voters: ReadonlySet<NodeKey>;
  /** To whom it is granted, once that is known. */
  readonly holder: NodeKey | undefined;
  /** When it may be asked, or asked again. */
  readonly askAtMs: number;
}

/** No answer for this long: asked again, which is harmless. */
const UNANSWERED_MS = 5_000;

/** It said that it cannot answer: asked again after this. */
const RETRY_MS = 1_000;

type Claim = Extract<Downing, { kind: 'claim' }>;

/** Asks what is not asked yet. Returns the owner on the other side, if there is one: this half goes. */
export function claimLease(
  node: Node,
  { configurations, stayers }: Claim,
  nowMs: number,
): NodeKey | undefined {
  for (const known of node.claims.keys()) {
    if (!configurations.includes(known)) node.claims.delete(known);
  }
  for (const configuration of configurations) {
    const claim = node.claims.get(configuration);
    if (claim?.holder !== undefined) {
      if (!stayers.has(claim.holder)) return claim.holder;
    } else if (claim === undefined || nowMs >= claim.askAtMs) {
      ask(node, configuration, claim?.voters ?? votersOf(node, configuration, stayers), nowMs);
    }
  }
  return undefined;
}

/** A configuration is named by its voters, so they stay the same while it does. */
function votersOf(
  { state, rules }: Node,
  configuration: Digest,
  stayers: ReadonlySet<NodeKey>,
): ReadonlySet<NodeKey> {
  const tie = ties(state, stayers, rules).find(({ id }) => id === configuration);
  return new Set(tie?.voters.map(({ key }) => key));
}

function ask(node: Node, configuration: Digest, voters: ReadonlySet<NodeKey>, nowMs: number): void {
  const askAtMs = nowMs + UNANSWERED_MS;
  node.claims.set(configuration, { voters, holder: undefined, askAtMs });
  node.out.push({ kind: 'askLease', configuration, owner: node.self });
}

/** When a claim is due again. */
export const claimDueMs = (node: Node): number =>
  Math.min(
    ...[...node.claims.values()].map(({ holder, askAtMs }) =>
      holder === undefined ? askAtMs : Number.POSITIVE_INFINITY,
    ),
  );

/** What the lease said; an answer to a question that is no longer asked says nothing. */
export function onLeaseAnswered(
  node: Node,
  { configuration, answer, problem }: Extract<Input, { kind: 'leaseAnswered' }>,
  nowMs: number,
): void {
  const claim = node.claims.get(configuration);
  if (claim === undefined || claim.holder !== undefined || node.replica === undefined) return;
  const holder = [...claim.voters].find((key) => key === answer);
  if (problem !== undefined || holder === undefined) {
    node.claims.set(configuration, { ...claim, askAtMs: nowMs + RETRY_MS });
    const facts = { problem, retryMs: RETRY_MS };
    const why = problem ?? `it answered ${shown(answer)}; acquire() resolves to ${OWNER}`;
    const what = problem === undefined ? 'gave no answer that can be used' : 'did not answer';
    return node.log('warn', `the lease ${what}: ${why}`, facts);
  }
  node.claims.set(configuration, { ...claim, holder });
  node.log('info', `the lease is granted to ${addressOf(holder)}`, { node: holder });
  if (holder !== node.self) return;
  const why = 'the lease was granted to this node';
  commit(node, holdLease(node.replica, configuration, node.rules), why);
}

const OWNER =
  'the owner it was granted to, the unique address of a member with a vote in this tie, such as ws://host:port#uid';

/** Longest that a log repeats of an answer. */
const SHOWN_MAX = 100;

/** What a user's own code answered: of an object only that it is one, for it may hold anything. */
function shown(answer: unknown): string {
  if (typeof answer === 'string') return `'${answer.slice(0, SHOWN_MAX)}'`;
  if (typeof answer === 'object' && answer !== null) return 'an object';
  return typeof answer === 'function' ? 'a function' : String(answer);
}
