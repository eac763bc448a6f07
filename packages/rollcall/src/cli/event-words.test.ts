import type { ClusterEvent } from '@rollcall/core';
import { management } from '@rollcall/management';
import { describe, expect, test } from 'vitest';
import { address, FakeCluster, key, member, stateOf } from '../fake-cluster.testing.js';
import { eventWords } from './event-words.js';

const state = stateOf(member(1));
const change = { previous: undefined, why: 'agreed at epoch 7', state };
const gone = member(2, { reachability: 'unreachable', observedBy: [key(1), key(3)] });

/** What a watch is sent of an event. */
async function sent(event: ClusterEvent) {
  const cluster = new FakeCluster();
  const handler = management(cluster);
  const response = await handler(new Request('http://localhost/cluster/domain-events'));
  cluster.events$.next(event);
  cluster.events$.complete();
  const data = [...(await response.text()).matchAll(/^data: (.*)$/gm)].at(-1)?.[1];
  return JSON.parse(data ?? '{}');
}

describe('an event in words', () => {
  test.each<[ClusterEvent, string]>([
    [{ type: 'memberUp', member: member(2), ...change }, `${address(2)} is Up (agreed at epoch 7)`],
    [
      { type: 'memberUnreachable', member: gone, ...change },
      `${address(2)} is unreachable, say ${address(1)}, ${address(3)} (agreed at epoch 7)`,
    ],
    [{ type: 'convergenceReached', state }, 'all have seen the same state'],
    [{ type: 'convergenceLost', state }, 'a change that not all have seen yet'],
    [{ type: 'selfUp', state }, 'the node that is asked is Up'],
    [
      { type: 'selfRemoved', reason: 'left', why: 'left the cluster', state },
      'the node that is asked is out: left the cluster',
    ],
    [
      {
        type: 'joinRefused',
        refusal: { code: 'limit', message: 'it is full', by: address(2) },
        state,
      },
      `${address(2)} refused the node that is asked: it is full`,
    ],
    [
      { type: 'joinStalled', tried: ['a is silent', 'b waits too'], state },
      'nobody has let the node in yet: a is silent; b waits too',
    ],
    [
      { type: 'islandDetected', via: key(9), theirs: [key(9)], ours: [key(1), key(2)], state },
      `another cluster of this name was met through ${address(9)} (theirs: ${address(9)}; ours: ${address(1)}, ${address(2)})`,
    ],
    [
      { type: 'localPauseDetected', pauseMs: 900.4, state },
      'the process that is asked did not run for 900 ms',
    ],
    [
      { type: 'downingDecided', stay: [key(1), key(3)], go: [key(2)], why: 'keep-majority', state },
      `decided who stays (keep-majority): 2 stay, 1 go: ${address(2)}`,
    ],
  ])('%#', async (event, words) => {
    expect(eventWords(await sent(event))).toBe(words);
  });

  test('one of a later version is told as it came', () => {
    const event = {
      type: 'RingMended',
      why: 'a link is back',
      links: 3,
      convergence: true,
      digest: '',
    };
    expect(eventWords(event)).toBe('ring mended (a link is back) links=3');
  });
});
