/** Messages of the sizes that docs/PROTOCOL.md gives: in a cluster of a hundred, and in smaller ones. */
import {
  bucketDigests,
  diff,
  emptyRow,
  introduce,
  type Member,
  State,
} from '@rollcall/convergence';
import type { Message } from '@rollcall/core';

const uid = '0123456789abcdef';
const introduced = (i: number) => ({
  key: `ws://10.0.0.${i}:7355#${uid}`,
  roles: ['worker'],
  appVersion: '1.4.0',
});

/** One of each kind, as the table of PROTOCOL.md has them; where it has two sizes, two. */
export function samples(): Readonly<Record<Message['kind'], readonly Message[]>> {
  const one = State.found(introduced(1));
  const arriving = Array.from({ length: 99 }, (_, i): Member => {
    return { ...introduced(i + 2), status: 'Joining', upNumber: null, row: emptyRow };
  });
  const hundred = arriving.reduce((state, member) => state.with(member), one);
  const two = introduce(one, introduced(2)).state;
  const status = { epoch: 40, digest: hundred.digest, seen: 'all' } as const;
  const partly = { ...status, seen: new Uint8Array(13) };
  const nobody = { clusterId: undefined, first: true, loner: false, size: 0, acceptors: [] };
  const acceptors = hundred.electorateKeys.slice(0, 8);
  const somebody = { ...nobody, clusterId: one.clusterId, size: 100, acceptors };
  const refusal = { code: 'limit', message: '', by: 'ws://10.0.0.1:7355' } as const;
  const [subject = one.clusterId] = acceptors;
  const beat = { kind: 'heartbeat', seq: 1_000, echo: 999, observes: true } as const;
  return {
    heartbeat: [
      { ...beat, status },
      { ...beat, status: partly },
    ],
    status: [{ kind: 'status', status, want: false }],
    patch: [{ kind: 'patch', patch: diff(one, two), seen: 'all' }],
    buckets: [{ kind: 'buckets', status, buckets: bucketDigests(hundred) }],
    seedAsk: [{ kind: 'seedAsk', standing: nobody }],
    seedAnswer: [{ kind: 'seedAnswer', standing: somebody }],
    join: [{ kind: 'join', roles: ['worker'], appVersion: '1.4.0' }],
    welcome: [one, hundred].map((state) => ({
      kind: 'welcome',
      token: uid,
      patch: diff(null, state),
    })),
    introduce: [{ kind: 'introduce', token: uid, patch: diff(one, two) }],
    joinRetry: [{ kind: 'joinRetry', afterMs: 100, freshUid: false, ask: [] }],
    joinRefused: [{ kind: 'joinRefused', refusal }],
    notMember: [{ kind: 'notMember', removed: true, epoch: 40 }],
    exitNoted: [{ kind: 'exitNoted' }],
    probe: [{ kind: 'probe', round: 40 }],
    swim: [{ kind: 'swim', packet: 'ping', seq: 40, target: undefined, updates: [] }],
    probeFor: [{ kind: 'probeFor', subject, round: 40, withinMs: 500 }],
    probed: [{ kind: 'probed', subject, round: 40, found: true }],
  };
}
