/** Joining in words: what was tried, told while it lasts and when it is given up. */
import type { JoinAttempt } from './join-attempt.js';
import type { Node } from './node.js';
import { hasCountedRole, isFirstSeed, isMine } from './standing.js';

export function giveUp(node: Node, attempt: JoinAttempt): void {
  node.stop(
    'gaveUp',
    `could not join within join.giveUpAfter (${node.settings.join.giveUpAfter} ms): ${tried(node, attempt).join('; ')}`,
  );
}

export function tellStalled(node: Node, attempt: JoinAttempt, nowMs: number): void {
  const everyMs = 2 * node.settings.join.seedTimeout;
  if (nowMs - attempt.stalledToldAtMs < everyMs) return;
  attempt.stalledToldAtMs = nowMs;
  node.out.push({
    kind: 'emit',
    event: { type: 'joinStalled', tried: tried(node, attempt), state: node.view },
  });
}

/** A sentence per seed: what was tried and what came of it. */
export function tried(node: Node, attempt: JoinAttempt): string[] {
  const problems = (attempt.seeds ?? []).flatMap((seed) =>
    seed.problem === undefined ? [] : [seed.problem],
  );
  const others = [...attempt.seedAddresses].filter((address) => !isMine(node, address));
  const each = others.sort().map((address) => {
    const reached = attempt.reached.get(address);
    const answer = reached === undefined ? undefined : attempt.answers.get(reached);
    if (answer?.clusterId !== undefined)
      return `${address} is in a cluster but did not let this node in yet`;
    if (answer !== undefined) return `${address} is in no cluster`;
    return (
      attempt.refusals.get(address)?.message ??
      attempt.failures.get(address) ??
      `${address} did not answer`
    );
  });
  if (attempt.seeds === undefined) return ['its seeds are being looked up'];
  const alone = each.length === 0 && problems.length === 0 ? ['there is no other seed'] : [];
  const hint = whyNotFounding(node);
  return [...problems, ...each, ...alone, ...(hint === undefined ? [] : [hint])];
}

function whyNotFounding(node: Node): string | undefined {
  if (!isFirstSeed(node)) {
    const [first] = node.options.seeds;
    const which = first === undefined ? 'none is given' : `that is ${first}`;
    return `this node does not found a cluster: only the first seed may, and ${which}`;
  }
  if (hasCountedRole(node)) return undefined;
  return `this node does not found a cluster: it lacks the role that downing.role counts (${node.rules.role})`;
}
