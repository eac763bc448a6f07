/**
 * Liveness, asked as "what are we still waiting for": a sentence while something has not come to rest,
 * nothing once every running node is up, sees exactly the running nodes, and all hold the same state.
 */
import { shortKey } from './node-name.js';
import type { NodeRun } from './node-run.js';

export function pendingAmong(runs: readonly NodeRun[]): string | undefined {
  const starting = runs.filter((run) => run.phase === 'starting');
  if (starting.length > 0) return `${names(starting)} to come up`;
  const running = runs.filter((run) => run.isRunning);
  for (const run of running) {
    const reason = pendingAt(run, running);
    if (reason !== undefined) return reason;
  }
  const digests = new Map(running.map((run) => [run.state?.digest, run]));
  if (digests.size > 1) return `${names([...digests.values()])} to hold the same state`;
  return undefined;
}

function pendingAt(run: NodeRun, running: readonly NodeRun[]): string | undefined {
  const { name, state } = run;
  if (state === undefined || state.members.length === 0) return `${name} to be let in`;
  const keys = new Map(running.map((each) => [each.key, each]));
  for (const { node, status, reachability } of state.members) {
    const subject = keys.get(node);
    if (subject === undefined)
      return `${name} to remove ${shortKey(node)}, which is ${status} there`;
    keys.delete(node);
    if (status !== 'up') return `${name} to see ${subject.name} up (it is ${status})`;
    if (reachability !== 'reachable') return `${name} to reach ${subject.name} (${reachability})`;
  }
  const [unknown] = keys.values();
  if (unknown !== undefined) return `${name} to hear of ${unknown.name}`;
  return state.convergence ? undefined : `${name} to see agreement`;
}

const names = (runs: readonly NodeRun[]): string => runs.map((run) => run.name).join(', ');
