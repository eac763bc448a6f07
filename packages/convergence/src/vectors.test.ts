/** The golden vectors of the checker that the rules were designed against: q = 1, no flags. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import {
  type DowningStrategy,
  decide,
  defaultRules,
  f,
  merge,
  quorate,
  type Rules,
  State,
  type Status,
} from './index.js';

/** A busy machine makes these slow, not wrong. */
vi.setConfig({ testTimeout: 60_000 });

interface VectorState {
  readonly epoch: number;
  readonly removed: readonly string[];
  readonly members: Readonly<Record<string, VectorMember>>;
}

interface VectorMember {
  readonly status: Status;
  readonly upNumber: number | null;
  readonly rowVersion: number;
  readonly unreachable: readonly string[];
}

interface Settings {
  readonly strategy: DowningStrategy;
  readonly quorum: number;
  readonly tieOldest: boolean;
}

type Vector =
  | { op: 'merge'; a: VectorState; b: VectorState; r: VectorState }
  | ({ op: 'quorate'; s: VectorState; k: readonly string[]; r: boolean } & Settings)
  | ({ op: 'f'; s: VectorState; r: VectorState | null } & Settings)
  | ({ op: 'decide'; s: VectorState; r: readonly string[] | null } & Settings);

const file = new URL('../testdata/convergence-vectors.jsonl.gz', import.meta.url);
const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n');
const vectors = lines.map((line) => JSON.parse(line) as Vector);

const stateOf = ({ epoch, removed, members }: VectorState): State =>
  State.from({
    clusterId: 'A#1',
    epoch,
    removed,
    members: Object.entries(members).map(([key, member]) => ({
      key,
      status: member.status,
      upNumber: member.upNumber,
      row: {
        version: member.rowVersion,
        unreachable: member.unreachable,
        unwell: false,
        cutOff: false,
      },
      roles: [],
      appVersion: '1',
    })),
  });

const rulesOf = ({ strategy, quorum, tieOldest }: Settings): Rules => ({
  ...defaultRules,
  observers: 1,
  strategy,
  quorum,
  tieOldest,
});

/** Expected and found, in a form that compares. */
function answers(vector: Vector): [expected: unknown, found: unknown] {
  switch (vector.op) {
    case 'merge': {
      const [a, b] = [stateOf(vector.a), stateOf(vector.b)];
      const { digest } = stateOf(vector.r);
      return [
        [digest, digest],
        [merge(a, b).digest, merge(b, a).digest],
      ];
    }
    case 'quorate':
      return [vector.r, quorate(stateOf(vector.s), new Set(vector.k), rulesOf(vector))];
    case 'f':
      return [
        vector.r && stateOf(vector.r).digest,
        f(stateOf(vector.s), rulesOf(vector))?.digest ?? null,
      ];
    case 'decide': {
      const stayers = decide(stateOf(vector.s), rulesOf(vector));
      return [vector.r, stayers && [...stayers]];
    }
  }
}

test('there are 3,000 of them', () => {
  expect(vectors.length).toBe(3000);
});

test.each(['merge', 'quorate', 'f', 'decide'])('%s agrees with every golden vector', (op) => {
  vectors.forEach((vector, line) => {
    if (vector.op !== op) return;
    const [expected, found] = answers(vector);
    expect(found, `line ${line + 1}`).toEqual(expected);
  });
});
