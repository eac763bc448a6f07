/**
 * Liveness: what a cluster must have come to some time after the last fault. Asked as "what are we
 * still waiting for", of states, blockers and events only.
 *
 * With faults over, and nobody told to do anything any more, these ends are legal and no others:
 *
 *   whole    Every node that runs is up in one cluster, sees exactly the running nodes, all up and
 *            reachable, all with the same digest and in agreement. No row names anybody, nobody who died
 *            or left is still there, nobody told to leave still runs, nobody waits to be let in.
 *   stopped  Nobody runs: all have left, died, or stopped themselves, and no supervisor is about to
 *            start anybody. A cluster that lost its quorum for ever ends so, unless downing is manual.
 *   islands  Several clusters of one name, each at its own legal end, and each has told of another one
 *            (`islandDetected`), perhaps by members that have gone since; where no seed is left they may never
 *            have met. They come from a founder that started while all others were out of
 *            reach or dead, and are never merged. A founder that stayed alone is none: it gives way.
 *   blocked  Only with `downing.strategy=manual`, and only while members are dead: nobody removes them
 *            but an operator. Still all who run have one digest, and every one of them names each dead
 *            member that is not down yet among its blockers. One that started over may show its past beside
 *            that, as nothing can be agreed on. Nobody who runs holds anybody who runs
 *            unreachable; the dead may have done so, and what they said stands until they are removed.
 *            If those who died were the quorum, at every node by its own count, and every node says that it
 *            has none, nothing can be agreed on any more, not even who was let in last, and that is all.
 *   full     Only with static-quorum: who waits to be promoted is told so by a `quorumFull` blocker, and
 *            everything else is whole.
 *
 * What is not let through: a node that runs and is in no cluster (it is let in, or gives up within
 * `join.giveUpAfter`); one that gave up although a seed of its own was in an agreed cluster in which
 * nothing moved; any refusal, since no setting differs; a blocked cluster under any other strategy.
 */
import type { ClusterState, Ending, Member, NodeKey } from '@rollcall/core';
import { hostOf, shortKey } from '../node-name.js';
import type { NodeRun } from '../node-run.js';
import { VOTER } from './plan-of-seed.js';
import type { Stage } from './stage.js';

export type EndKind = 'whole' | 'stopped' | 'islands' | 'blocked' | 'full';

/** Either an end, or what is still to come. */
export type Judgement = { readonly end: EndKind } | { readonly waitsFor: string };

const waitsFor = (what: string): Judgement => ({ waitsFor: what });

export function judge(stage: Stage): Judgement {
  const { nodes, running } = stage.sim;
  const starting = nodes.find((run) => run.phase === 'starting');
  if (starting !== undefined) return waitsFor(`${starting.name} to come up`);
  if (stage.isAnybodyComing) return waitsFor('a supervisor to start somebody again');
  const unanswered = stage.unanswered();
  if (unanswered !== undefined) return waitsFor(unanswered);
  if (running.length === 0) return { end: 'stopped' };
  const groups = new Map<NodeKey, NodeRun[]>();
  for (const run of running) {
    const id = run.state?.clusterId;
    if (id === undefined) return waitsFor(`${run.name} to be let in, or to give up`);
    groups.set(id, [...(groups.get(id) ?? []), run]);
  }
  const ends: EndKind[] = [];
  for (const group of groups.values()) {
    const judgement = new Group(stage, group).judge();
    if ('waitsFor' in judgement) return judgement;
    ends.push(judgement.end);
  }
  return groups.size > 1 ? judgeIslands(stage, groups) : { end: ends[0] ?? 'stopped' };
}

/** Whoever was always alone gives way; of all others each has told of another one, be it by somebody who is gone now. */
function judgeIslands(stage: Stage, groups: ReadonlyMap<NodeKey, readonly NodeRun[]>): Judgement {
  const { witness, plan, sim } = stage;
  // They meet by the seeds they share; without any they cannot know of each other.
  const isSeedThere = sim.running.some(({ name }) => plan.seeds.includes(name));
  for (const [id, group] of groups) {
    const names = group.map((run) => run.name).join(', ');
    if (group.every((run) => witness.wasAlwaysAlone(run.cluster))) {
      return waitsFor(`${names}, a cluster of one, to give way to another cluster`);
    }
    const others = [...groups.keys()].filter((other) => other !== id);
    const hasTold = others.some((other) => witness.hasMet(id, other));
    if (!hasTold && isSeedThere)
      return waitsFor(`${names} to tell of another cluster of their name`);
  }
  return { end: 'islands' };
}

/** The running nodes that hold themselves members of one cluster. */
class Group {
  readonly #stage: Stage;
  readonly #runs: readonly NodeRun[];
  readonly #keys: ReadonlyMap<NodeKey, NodeRun>;
  readonly #isManual: boolean;
  #isBlocked = false;
  #isFull = false;

  constructor(stage: Stage, runs: readonly NodeRun[]) {
    this.#stage = stage;
    this.#runs = runs;
    this.#isManual = stage.plan.settings['downing.strategy'] === 'manual';
    this.#keys = new Map(runs.map((run) => [run.cluster.self.node, run]));
  }

  judge(): Judgement {
    const hasLost = (run: NodeRun) => this.#hasLostQuorum(run) && saysNoQuorum(run);
    if (this.#isManual && this.#runs.every(hasLost)) return { end: 'blocked' };
    for (const run of this.#runs) {
      if (this.#stage.isLeaver(run)) return waitsFor(`${run.name} to have left`);
      const pending = this.#pendingAt(run, run.cluster.state);
      if (pending !== undefined) return waitsFor(pending);
    }
    const whole = this.#runs.filter((run) => !(this.#isBlocked && showsPast(run)));
    const byDigest = new Map(whole.map((run) => [run.cluster.state.digest, run.name]));
    if (byDigest.size > 1) {
      return waitsFor(`${[...byDigest.values()].join(', ')} to hold the same state`);
    }
    if (this.#isBlocked) return { end: 'blocked' };
    return { end: this.#isFull ? 'full' : 'whole' };
  }

  #pendingAt(run: NodeRun, state: ClusterState): string | undefined {
    const dead = state.members.filter(({ node }) => !this.#keys.has(node));
    const [first] = dead;
    if (first !== undefined && !this.#isManual) {
      return `${run.name} to remove ${shortKey(first.node)}, which is ${first.status} there`;
    }
    const held = new Map(state.members.map((member) => [member.node, member]));
    for (const [key, { name }] of this.#keys) {
      const member = held.get(key);
      if (member === undefined) return `${run.name} to hear of ${name}`;
      const { status } = member;
      const observer = member.observedBy.find((by) => dead.length === 0 || this.#keys.has(by));
      if (observer !== undefined) return `${shortKey(observer)} to reach ${name}, says ${run.name}`;
      const isHeldBack = status === 'joining' || status === 'weaklyUp';
      const mayWait = isHeldBack && (dead.length > 0 || this.#isFullFor(run, key));
      if (status !== 'up' && !mayWait) return `${run.name} to see ${name} up (it is ${status})`;
    }
    if (dead.length > 0) return this.#unexplained(run, dead);
    return state.convergence ? undefined : `${run.name} to see agreement`;
  }

  /** Of those who count in its own state, do too few run for a majority? Manual downing asks for one as well. */
  #hasLostQuorum({ cluster: { state } }: NodeRun): boolean {
    const { voters } = this.#stage.plan;
    const counted = state.members.filter(
      ({ age, roles }) => age !== undefined && (voters.length === 0 || roles.includes(VOTER)),
    );
    const running = counted.filter(({ node }) => this.#keys.has(node)).length;
    return 2 * running < counted.length;
  }

  #isFullFor(run: NodeRun, key: NodeKey): boolean {
    const isFull = run.cluster.blockers.some(
      ({ kind, nodes }) => kind === 'quorumFull' && nodes.includes(key),
    );
    this.#isFull ||= isFull;
    return isFull;
  }

  /** Manual downing: dead members stay, and every node says so. */
  #unexplained(run: NodeRun, dead: readonly Member[]): string | undefined {
    this.#isBlocked = true;
    const { blockers } = run.cluster;
    const named = new Set(blockers.flatMap(({ nodes }) => nodes));
    const isNamed = ({ node, status }: Member) =>
      status === 'down' || status === 'exiting' || named.has(node);
    const isPast = ({ node }: Member) => showsPast(run) && !this.#isHeldBesides(run, node);
    const silent = dead.find((member) => !isNamed(member) && !isPast(member));
    if (silent !== undefined) return `${run.name} to name ${shortKey(silent.node)} as a blocker`;
    return blockers.length > 0 ? undefined : `${run.name} to say why nothing moves`;
  }

  #isHeldBesides(run: NodeRun, key: NodeKey): boolean {
    const holds = ({ cluster }: NodeRun) => cluster.state.members.some(({ node }) => node === key);
    return this.#runs.some((other) => other !== run && holds(other));
  }
}

/** It started over, and shows members of which it cannot be agreed yet whether they are gone. */
const showsPast = ({ cluster }: NodeRun): boolean => cluster.state.digest === '';

const saysNoQuorum = ({ cluster }: NodeRun): boolean =>
  cluster.blockers.some(({ kind }) => kind === 'notQuorate' || kind === 'noVoters');

/** Why a node had no reason to end as it did; undefined if it may have had one. Asked at that moment. */
export function needless(stage: Stage, name: string, ending: Ending): string | undefined {
  if (ending.reason === 'refused') {
    return `${name} was refused, though no setting differs: ${ending.message}`;
  }
  if (ending.reason === 'gaveUp') return gaveUpNeedlessly(stage, name);
  if (ending.reason === 'minority' || ending.reason === 'notQuorate') {
    return stoppedNeedlessly(stage, name, ending);
  }
  return undefined;
}

function gaveUpNeedlessly(stage: Stage, name: string): string | undefined {
  const { sim, witness, healedAtMs = Number.POSITIVE_INFINITY, plan } = stage;
  const sinceMs = sim.nowMs - sim.node(name).options.settings.join.giveUpAfter / 2;
  if (healedAtMs > sinceMs) return undefined;
  const host = sim.running.find((run) => {
    if (!plan.seeds.includes(run.name) || run.state?.clusterId === undefined) return false;
    const { members, self, convergence } = run.state;
    const isUp = members.some((member) => member.node === self && member.status === 'up');
    return convergence && isUp && witness.sinceMs(run.cluster) <= sinceMs;
  });
  if (host === undefined) return undefined;
  return `${name} gave up though ${host.name}, a seed, was in an agreed cluster all the time`;
}

const BY_MAJORITY: ReadonlySet<string> = new Set(['keep-majority', 'lease-majority']);

/** It says that it reaches no quorum, and the network has been whole for all the time that this takes. */
function stoppedNeedlessly(stage: Stage, name: string, ending: Ending): string | undefined {
  const { sim, healedAtMs = Number.POSITIVE_INFINITY, plan } = stage;
  const { downing, heartbeat, limits } = sim.node(name).options.settings;
  const { strategy, stableAfter, unstableAfter } = downing;
  // Who decides sooner than others can be heard again has chosen to.
  if (stableAfter < 3 * heartbeat.interval) return undefined;
  // A network that is whole has to be dialled first: a dial that was begun before, a pause, another dial, a heartbeat.
  const contactMs = 2 * limits.handshake + limits.reconnectMax + heartbeat.interval;
  const isSince = sim.nowMs - healedAtMs >= contactMs + stableAfter + unstableAfter;
  if (!isSince || !BY_MAJORITY.has(strategy)) return undefined;
  const isListedBy = ({ state }: NodeRun) =>
    state?.members.some(({ address, status }) => hostOf(address) === name && status !== 'down');
  const keys = new Set(sim.running.filter(isListedBy).map((run) => run.key));
  const isHere = ({ node, address }: Member) => keys.has(node) || hostOf(address) === name;
  for (const { name: other, state } of sim.running) {
    const me = state?.members.find(({ address }) => hostOf(address) === name);
    if (state === undefined || me === undefined || me.status === 'down') continue;
    const voters = state.members.filter(
      ({ age, roles }) => age !== undefined && (plan.voters.length === 0 || roles.includes(VOTER)),
    );
    // A promotion that is not committed may leave no side with both majorities.
    const before = voters.filter(({ age = 0 }) => age < state.epoch);
    const haveMost = (some: readonly Member[]) => 2 * some.filter(isHere).length > some.length;
    if (haveMost(voters) && haveMost(before))
      return `${name} ended (${ending.reason}) though most of the ${voters.length} voters that ${other} knows run`;
  }
  return undefined;
}
