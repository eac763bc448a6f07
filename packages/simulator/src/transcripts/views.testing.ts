/** What each node holds of whom at one moment, and why nothing moves, alike views together. */
import type { Member, MemberStatus } from '@rollcall/core';
import type { NodeRun } from '../node-run.js';
import type { Simulation } from '../simulation.js';
import { type Labels, speakers } from './labels.testing.js';

const STATUS_WORDS: Readonly<Partial<Record<MemberStatus, string>>> = { weaklyUp: 'weakly up' };
const PLAIN_VERSION = '1.0.0';

/** A line for each view that somebody has, then who runs no more, then whom the lease granted ties. */
export function viewLines(sim: Simulation, labels: Labels): readonly string[] {
  const gone = sim.nodes.filter((run) => !run.isRunning && run.phase !== 'starting');
  const owners = [...sim.lease.granted.values()];
  return [
    ...merged(sim, (run) => [viewOf(run, labels)]),
    ...gone.map((run) => `${run.name}: ${howItEnded(run)}`),
    ...(owners.length > 0 ? [`lease: granted to ${labels.list(owners)}`] : []),
  ];
}

/** What is in the way at whom; the product's own sentences. */
export function blockerLines(sim: Simulation, labels: Labels): readonly string[] {
  const lines = merged(sim, ({ cluster }) =>
    cluster.blockers.map(({ text }) => labels.within(text)),
  );
  return lines.length > 0 ? lines : ['nothing is in the way'];
}

function merged(sim: Simulation, textsOf: (run: NodeRun) => readonly string[]): readonly string[] {
  const running = sim.running.map(({ name }) => name);
  const sayers = new Map<string, string[]>();
  for (const run of sim.running) {
    for (const text of new Set(textsOf(run))) {
      sayers.set(text, [...(sayers.get(text) ?? []), run.name]);
    }
  }
  return [...sayers].map(([text, names]) => `${speakers(names, running)}: ${text}`);
}

function viewOf({ cluster: { state } }: NodeRun, labels: Labels): string {
  if (state.members.length === 0) return 'in no cluster';
  const groups: { readonly state: string; readonly names: string[] }[] = [];
  for (const member of oldestFirst(state.members)) {
    const words = stateWords(member, labels);
    const last = groups.at(-1);
    if (last?.state === words) last.names.push(nameWords(member, labels));
    else groups.push({ state: words, names: [nameWords(member, labels)] });
  }
  const members = groups.map((group) => `${group.names.join(', ')} ${group.state}`).join('; ');
  return `${members}; ${state.convergence ? 'agreed' : 'not agreed'}`;
}

/** By address among those of one age; who was never up comes last. */
const oldestFirst = (members: readonly Member[]): readonly Member[] =>
  members.toSorted((a, b) => (a.age ?? Number.MAX_VALUE) - (b.age ?? Number.MAX_VALUE));

function stateWords({ status, reachability, observedBy }: Member, labels: Labels): string {
  const word = STATUS_WORDS[status] ?? status;
  if (reachability === 'reachable') return word;
  return `${word}, ${reachability} (by ${labels.list(observedBy)})`;
}

function nameWords({ node, roles, appVersion }: Member, labels: Labels): string {
  const facts = [...roles, ...(appVersion === PLAIN_VERSION ? [] : [appVersion])];
  return `${labels.of(node)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

function howItEnded({ phase, ending }: NodeRun): string {
  if (ending === undefined) return phase;
  return ending.reason === 'left' ? 'left' : `stopped (${ending.reason})`;
}
