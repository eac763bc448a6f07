/**
 * Hears every event that any node of a simulation tells its subscribers, from its first moment, to be
 * asked afterwards who said what of whom. It is handed to a simulation as its `startCluster`.
 */
import {
  addressOf,
  type ClusterEvent,
  type MemberEvent,
  type NodeKey,
  startCluster,
} from '@rollcall/core';
import { hostOf } from '../node-name.js';
import type { StartCluster } from '../node-run.js';

export interface Told {
  readonly atMs: number;
  readonly by: NodeKey;
  readonly event: ClusterEvent;
}

export class Witness {
  readonly told: Told[] = [];

  readonly startCluster: StartCluster = async (options, ports) => {
    const cluster = await startCluster(options, ports);
    cluster.events$.subscribe((event) =>
      this.told.push({ atMs: ports.clock.nowMs(), by: event.state.self, event }),
    );
    return cluster;
  };

  /** Events of one kind. */
  of(type: ClusterEvent['type']): readonly Told[] {
    return this.told.filter(({ event }) => event.type === type);
  }

  /** Names of nodes that somebody told to be unreachable. */
  convicted(): readonly string[] {
    return this.#subjects('memberUnreachable');
  }

  /** The same as unique addresses. */
  convictedRuns(): readonly NodeKey[] {
    const convicted = this.#aboutMembers().filter(({ type }) => type === 'memberUnreachable');
    return [...new Set(convicted.map(({ member }) => member.node))].sort();
  }

  /** Names of nodes that one observer or more held something against. */
  suspected(): readonly string[] {
    return [...new Set([...this.#subjects('memberSuspected'), ...this.convicted()])].sort();
  }

  /** Names of those against whom this observer held something, wherever it became known. */
  accusedBy(observer: NodeKey): readonly string[] {
    const found = this.#aboutMembers()
      .filter(({ member }) => member.observedBy.includes(observer))
      .map(({ member }) => nameOf(member.node));
    return [...new Set(found)].sort();
  }

  /** How often each observer that said so at all told of this member's removal. */
  removalsOf(subject: NodeKey): ReadonlyMap<NodeKey, number> {
    const counts = new Map<NodeKey, number>();
    for (const { by, event } of this.of('memberRemoved')) {
      if ('member' in event && event.member.node === subject)
        counts.set(by, (counts.get(by) ?? 0) + 1);
    }
    return counts;
  }

  /** From here on only. */
  forget(): void {
    this.told.length = 0;
  }

  #subjects(type: ClusterEvent['type']): readonly string[] {
    const found = this.#aboutMembers()
      .filter((event) => event.type === type)
      .map(({ member }) => nameOf(member.node));
    return [...new Set(found)].sort();
  }

  #aboutMembers(): readonly MemberEvent[] {
    return this.told.flatMap(({ event }) => ('member' in event ? [event] : []));
  }
}

const nameOf = (key: NodeKey): string => hostOf(addressOf(key));
