import { type LinkView, readSettings } from '@rollcall/core';
import { expect, test } from 'vitest';
import { address, FakeCluster, key } from './fake-cluster.testing.js';
import { management } from './management.js';

async function ask(cluster: FakeCluster, path: string) {
  const response = await management(cluster)(new Request(`http://127.0.0.1:8355${path}`));
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const figures = {
  connected: true,
  reachable: true,
  phi: 0.5,
  meanMs: 1000,
  deviationMs: 100,
  samples: 12,
};
const counted = { mistakes: 0, mistakeMs: 0, observedMs: 12_000, setAside: 0, queryAccuracy: 1 };
const link = (): LinkView => ({
  observer: key(1),
  subject: key(2),
  silenceMs: undefined,
  broken: false,
  heldForMs: undefined,
  ...figures,
  qos: {
    ...counted,
    detectionTimeMs: 4_522.6,
    mistakeRecurrenceMs: undefined,
    mistakeDurationMs: undefined,
  },
});

test('links, with what their phi is made of and what their verdicts were worth', async () => {
  const cluster = new FakeCluster();
  cluster.links = [link()];
  const { body } = await ask(cluster, '/cluster/links');
  expect(body).toEqual({
    selfNode: address(1),
    detector: {
      kind: 'phi-normal',
      threshold: 8,
      acceptablePauseMs: 3_000,
      minStdDeviationMs: 100,
      intervalMs: 1_000,
    },
    links: [
      {
        observer: address(1),
        subject: address(2),
        subjectUid: 'uid2',
        silenceMs: null,
        broken: false,
        heldForMs: null,
        ...figures,
        qos: {
          ...counted,
          detectionTimeMs: 4_522.6,
          mistakeRecurrenceMs: null,
          mistakeDurationMs: null,
        },
      },
    ],
  });
});

test('the detector of a link that has settings of its own', async () => {
  const cluster = new FakeCluster();
  cluster.settings = readSettings({ [`peers.${address(3)}.acceptablePause`]: '20s' });
  cluster.links = [link(), { ...link(), subject: key(3) }];
  const { body } = await ask(cluster, '/cluster/links');
  expect(body.detector.acceptablePauseMs).toBe(3_000);
  expect(body.links.map(({ detector }: { detector: unknown }) => detector)).toEqual([
    undefined,
    { ...body.detector, acceptablePauseMs: 20_000 },
  ]);
});

test('the longest gaps, as many as are asked for, and only then', async () => {
  const cluster = new FakeCluster();
  cluster.links = [link(), { ...link(), subject: key(3) }];
  cluster.gaps = [{ subject: key(2), count: 12, longestMs: [1_300, 1_200, 1_100] }];
  const shown = async (query: string) => {
    const { body } = await ask(cluster, `/cluster/links${query}`);
    return body.links.map(({ gaps }: { gaps: unknown }) => gaps);
  };
  expect(await shown('')).toEqual([undefined, undefined]);
  expect(await shown('?gaps=2')).toEqual([
    { count: 12, longestMs: [1_300, 1_200] },
    { count: 0, longestMs: [] },
  ]);
  for (const bad of ['0', '65', '1.5', '', 'all', '-1']) {
    const { status, body } = await ask(cluster, `/cluster/links?gaps=${bad}`);
    expect([status, body.message]).toEqual([400, expect.stringContaining('1 to 64')]);
  }
});
