/**
 * One log line for each thing that happens to the cluster, with who and why; a line that asks for
 * somebody's attention says what to do. Nothing is logged per heartbeat or per frame.
 */
import { addressOf } from '@rollcall/convergence';
import type {
  Blocker,
  Cluster,
  ClusterEvent,
  ClusterState,
  Logger,
  Member,
  RefusalCode,
  Settings,
} from '@rollcall/core';
import { showDuration } from '@rollcall/core';
import { distinctUntilChanged, EMPTY, map, switchMap, takeWhile, timer } from 'rxjs';

/** What stands in the way this long is worth a line; before that it is everyday life. */
const BLOCKED_MS = 10_000;

export type LoggedCluster = Pick<Cluster, 'events$' | 'blockers$' | 'state' | 'settings'>;

/** Logs until the node stops. */
export function logMembership(cluster: LoggedCluster, logger: Logger): void {
  for (const member of cluster.state.members) {
    logger.info(
      memberFacts('present', member, cluster.state),
      `${member.address} is ${member.status}`,
    );
  }
  // Once this node is out, that its view is taken down member by member is no news to an operator.
  const whileIn = takeWhile<ClusterEvent>((event) => event.type !== 'selfRemoved', true);
  cluster.events$.pipe(whileIn).subscribe((event) => {
    const { level, facts, message } = line(event, cluster.settings);
    logger[level](facts, message);
  });
  lastingBlockers(cluster).subscribe((blockers) => {
    const facts = { event: 'blocked', blockers };
    logger.warn(facts, blockers.map(({ text, resolve }) => `${text} ${resolve}`).join(' '));
  });
}

interface Line {
  readonly level: keyof Logger;
  readonly facts: object;
  readonly message: string;
}

/** One event as one line. */
export function line(event: ClusterEvent, settings: Settings): Line {
  const { type: name, state } = event;
  switch (event.type) {
    case 'convergenceReached':
      return {
        level: 'debug',
        facts: stateFacts(name, state),
        message: 'all have seen this state',
      };
    case 'convergenceLost':
      return {
        level: 'debug',
        facts: stateFacts(name, state),
        message: 'not all have seen this state',
      };
    case 'selfUp':
      return { level: 'info', facts: stateFacts(name, state), message: 'this node is up' };
    case 'selfRemoved': {
      const { reason, why } = event;
      const level = reason === 'left' || reason === 'stopped' ? 'info' : 'error';
      return { level, facts: { event: name, reason, why }, message: `this node is out: ${why}` };
    }
    case 'joinRefused': {
      const { refusal } = event;
      const message = `${refusal.by} refused this node: ${refusal.message}; ${AGAINST[refusal.code]}`;
      return { level: 'error', facts: { event: name, ...refusal }, message };
    }
    case 'joinStalled': {
      const message = `nobody has let this node in yet: ${event.tried.join('; ')}. ${STALLED}`;
      return { level: 'warn', facts: { event: name, tried: event.tried }, message };
    }
    case 'islandDetected':
      return islandLine(event);
    case 'localPauseDetected': {
      const message = `this process did not run for ${Math.round(event.pauseMs)} ms; ${PAUSED}`;
      return { level: 'warn', facts: { event: name, pauseMs: event.pauseMs }, message };
    }
    case 'downingDecided': {
      const { stay, go, why } = event;
      const message = `decided who stays (${why}): ${stay.length} stay, ${go.length} go: ${list(go)}`;
      return { level: 'warn', facts: { event: name, stay, go, why }, message };
    }
    default:
      return memberLine(event, settings);
  }
}

const STALLED = 'Check that the seeds run and that this machine reaches them';
const PAUSED = 'look for code that blocks, a starved CPU or a suspended machine';

/** What to do about each refusal. */
const AGAINST: Readonly<Record<RefusalCode, string>> = {
  clusterName: 'give it that name, or other seeds',
  protocol: 'run versions that share a protocol',
  secret: 'give both the same secret',
  settings: 'these must be the same at every member',
  addressInUse: 'stop the other process, or give this node another address',
  limit: 'try again later, or raise the limit at every member',
  origin: 'a node must not be reached through a web page',
  badFrame: 'see whether it is a Rollcall node at all, and of which version',
};

type MemberChange = Extract<ClusterEvent, { readonly member: Member }>;

function memberLine(event: MemberChange, settings: Settings): Line {
  const { member, why, state } = event;
  const facts = { ...memberFacts(event.type, member, state), why };
  const { address } = member;
  const is = (level: keyof Logger, what: string): Line => ({
    level,
    facts,
    message: `${address} ${what} (${why})`,
  });
  const by = list(member.observedBy);
  switch (event.type) {
    case 'memberJoined':
      return is('info', 'is joining');
    case 'memberWeaklyUp':
      return is('info', 'is weakly up');
    case 'memberUp':
      return is('info', 'is up');
    case 'memberLeft':
      return is('info', 'is leaving');
    case 'memberExited':
      return is('info', 'is exiting');
    case 'memberDowned':
      return is('warn', 'is down; a process that still runs there stops, and may be started again');
    case 'memberRemoved':
      return is('info', `is removed, ${state.members.length} left`);
    case 'memberSuspected':
      return is('info', `is suspected by ${by}: too few to call it unreachable`);
    case 'memberUnreachable':
      return is('warn', `is unreachable, say ${by}; ${afterwards(settings)}`);
    case 'memberReachable':
      return is('info', 'is reachable again');
  }
}

function afterwards({ downing }: Settings): string {
  return downing.strategy === 'manual'
    ? 'it stays until it answers or an operator says `rollcall down`'
    : `unless it answers, who stays is decided after ${showDuration(downing.stableAfter)}`;
}

function islandLine(event: Extract<ClusterEvent, { readonly type: 'islandDetected' }>): Line {
  const { via, theirs, ours } = event;
  const both = `theirs: ${list(theirs)}; ours: ${list(ours)}`;
  const message = `another cluster of this name was met through ${addressOf(via)} (${both}). They are never merged: stop the nodes of one and start them again with seeds of the other`;
  return { level: 'error', facts: { event: event.type, via, theirs, ours }, message };
}

const memberFacts = (event: string, member: Member, state: ClusterState): object => ({
  event,
  node: member.address,
  uid: member.uid,
  status: member.status,
  reachability: member.reachability,
  ...(member.observedBy.length > 0 ? { observedBy: member.observedBy } : {}),
  members: state.members.length,
  epoch: state.epoch,
});

const stateFacts = (event: string, { members, digest, epoch }: ClusterState): object => ({
  event,
  members: members.length,
  digest,
  epoch,
});

/** The same reasons, unbroken for long enough; each set of reasons once. */
const lastingBlockers = ({ blockers$ }: LoggedCluster) =>
  blockers$.pipe(
    distinctUntilChanged((a, b) => textOf(a) === textOf(b)),
    switchMap((blockers) =>
      blockers.length === 0 ? EMPTY : timer(BLOCKED_MS).pipe(map(() => blockers)),
    ),
  );

const textOf = (blockers: readonly Blocker[]): string =>
  blockers.map(({ kind, nodes }) => `${kind} ${nodes.join()}`).join(';');

const list = (nodes: readonly string[]): string => nodes.map(addressOf).join(', ') || 'nobody';
