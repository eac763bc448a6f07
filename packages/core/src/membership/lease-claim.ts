/**
 * Two equal halves, and only the lease can say which one stays (docs/PROTOCOL.md, "Downing"). Every
 * voter of a half that agrees on it asks, with itself as the owner; the one to whom it is granted
 * says so in its row, and with that row its half wins. A half that is told of an owner on the other
 * side stops. A lease that does not answer is asked again; whoever hears nothing ends by own fate.
 */
import {
  addressOf,
  type Digest,
  type Downing,
  holdLease,
  type NodeKey,
} from '@rollcall/convergence';
import { commit } from './commit.js';
import type { Input } from './input.js';
import type { Node } from './node.js';

export interface LeaseClaim {
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
    } else if (claim === undefined || nowMs >= claim.askAtMs) ask(node, configuration, nowMs);
  }
  return undefined;
}

function ask(node: Node, configuration: Digest, nowMs: number): void {
  node.claims.set(configuration, { holder: undefined, askAtMs: nowMs + UNANSWERED_MS });
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
  { configuration, holder, problem }: Extract<Input, { kind: 'leaseAnswered' }>,
  nowMs: number,
): void {
  const claim = node.claims.get(configuration);
  if (claim === undefined || claim.holder !== undefined || node.replica === undefined) return;
  if (holder === undefined) {
    node.claims.set(configuration, { holder, askAtMs: nowMs + RETRY_MS });
    const facts = { problem, retryMs: RETRY_MS };
    return node.log('warn', `the lease did not answer: ${problem ?? 'no reason given'}`, facts);
  }
  node.claims.set(configuration, { holder, askAtMs: claim.askAtMs });
  node.log('info', `the lease is granted to ${addressOf(holder)}`, { node: holder });
  if (holder !== node.self) return;
  const why = 'the lease was granted to this node';
  commit(node, holdLease(node.replica, configuration, node.rules), why);
}
