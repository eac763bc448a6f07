/**
 * What nodes told their subscribers while time ran, put together for a reader: one line for all who said
 * the same about the same time, and for all of whom they said it.
 */
import {
  type Cluster,
  type ClusterEvent,
  type MemberEventType,
  type StopReason,
  startCluster,
} from '@rollcall/core';
import type { NodeRun, StartCluster } from '../node-run.js';
import type { Simulation } from '../simulation.js';
import { type Labels, speakers } from './labels.testing.js';

/** Nodes learn of one thing within this of each other. */
const TOGETHER_MS = 1_000;
/** What is said of several members at once is said of each within this. */
const AT_ONCE_MS = 100;
const MOMENT_WIDTH = 15;

const MEMBER_WORDS: Readonly<Record<MemberEventType, string>> = {
  memberJoined: 'joining',
  memberWeaklyUp: 'weakly up',
  memberUp: 'up',
  memberLeft: 'leaving',
  memberExited: 'exiting',
  memberDowned: 'down',
  memberRemoved: 'removed',
  memberSuspected: 'suspected',
  memberUnreachable: 'unreachable',
  memberReachable: 'reachable again',
};

/** Something that one or more nodes said of one or more members, or of none. */
interface Saying {
  readonly what: string;
  readonly subjects: string[];
  readonly by: string[];
  readonly firstMs: number;
  lastMs: number;
  /** Who ran when it was said last. */
  running: readonly string[];
}

export class News {
  readonly #labels: Labels;
  readonly #simulation: () => Simulation;
  readonly #over = new Set<NodeRun>();
  #sayings: Saying[] = [];

  constructor(labels: Labels, simulation: () => Simulation) {
    this.#labels = labels;
    this.#simulation = simulation;
  }

  /** Starts a node and listens to it. */
  readonly startCluster: StartCluster = async (options, ports) => {
    const run = this.#simulation().nodes.find(({ clock }) => clock === ports.clock) as NodeRun;
    const cluster = await startCluster(options, ports);
    this.#listen(run, cluster);
    return cluster;
  };

  /** What was said since it was asked last, a line each. */
  take(): readonly string[] {
    const lines = together(this.#sayings).map(lineOf);
    this.#sayings = [];
    return lines;
  }

  #listen(run: NodeRun, cluster: Cluster): void {
    cluster.state$.subscribe(({ self }) => this.#labels.add(run.name, self));
    cluster.events$.subscribe((event) => {
      if (this.#over.has(run) || run.phase === 'crashed') return;
      this.#labels.add(run.name, event.state.self);
      this.#tell(run, event);
      // What follows is how it empties its own view, and nothing that happened to anybody.
      if (event.type === 'selfRemoved') this.#over.add(run);
    });
  }

  #tell(run: NodeRun, event: ClusterEvent): void {
    const labels = this.#labels;
    if ('member' in event) {
      return this.#say(run, MEMBER_WORDS[event.type], labels.of(event.member.node));
    }
    switch (event.type) {
      case 'selfRemoved':
        return this.#say(run, endWords(event.reason, labels.within(event.why)));
      case 'joinRefused':
        return this.#say(run, `refused: ${labels.within(event.refusal.message)}`);
      case 'joinStalled':
        return this.#say(run, `still waits to join: ${labels.within(event.tried.join('; '))}`);
      case 'islandDetected':
        return this.#say(run, `meets another cluster: ${labels.list(event.theirs)}`);
      case 'localPauseDetected':
        return this.#say(run, `stood still for ${event.pauseMs.toFixed(0)} ms`);
      case 'downingDecided':
        return this.#say(run, `decides that ${labels.list(event.go)} must go`);
      case 'selfUp':
      case 'convergenceReached':
      case 'convergenceLost':
        return;
    }
  }

  #say(run: NodeRun, what: string, subject?: string): void {
    const { nowMs, running: runs } = this.#simulation();
    const running = runs.map(({ name }) => name);
    const isSame = (saying: Saying) =>
      saying.what === what &&
      saying.subjects[0] === subject &&
      !saying.by.includes(run.name) &&
      nowMs - saying.firstMs <= TOGETHER_MS;
    const same = this.#sayings.find(isSame);
    if (same === undefined) {
      const subjects = subject === undefined ? [] : [subject];
      const [by, firstMs, lastMs] = [[run.name], nowMs, nowMs];
      this.#sayings.push({ what, subjects, by, firstMs, lastMs, running });
    } else {
      same.by.push(run.name);
      same.lastMs = nowMs;
      same.running = running;
    }
  }
}

function endWords(reason: StopReason, why: string): string {
  if (reason === 'left') return 'has left';
  const isTold = reason === 'refused' || reason === 'gaveUp';
  return `stops (${reason})${isTold ? `: ${why}` : ''}`;
}

/** Sayings of the same nodes, at the same time, that differ in their subject alone. */
function together(sayings: readonly Saying[]): readonly Saying[] {
  const found: Saying[] = [];
  for (const saying of sayings) {
    const same = found.find(
      (other) =>
        other.what === saying.what &&
        other.subjects.length > 0 &&
        saying.firstMs - other.firstMs <= AT_ONCE_MS &&
        [...other.by].sort().join() === [...saying.by].sort().join(),
    );
    if (same === undefined) found.push({ ...saying });
    else {
      same.subjects.push(...saying.subjects);
      same.lastMs = Math.max(same.lastMs, saying.lastMs);
    }
  }
  return found;
}

function lineOf({ what, subjects, by, running, firstMs, lastMs }: Saying): string {
  const [first, last] = [Math.floor(firstMs), Math.floor(lastMs)];
  const moment = `${first === last ? first : `${first}-${last}`} ms`.padEnd(MOMENT_WIDTH);
  const whom = [...subjects].sort().join(', ');
  return `${moment} ${speakers(by, running)}: ${whom === '' ? what : `${whom} ${what}`}`;
}
