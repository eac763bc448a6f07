/**
 * Arbitrary messages for properties: every kind, with members, patches and standings that the codec
 * can carry, whether or not any node would ever say them.
 */
import {
  type Digest,
  type Member,
  type NodeKey,
  type Patch,
  RANK,
  type Status,
} from '@rollcall/convergence';
import fc from 'fast-check';
import { REFUSAL_CODES, type Refusal } from './hello.js';
import type { Message, Status as Said, SeenBits, Standing } from './message.js';

/** Whole characters: a lone surrogate has no UTF-8 and comes back as U+FFFD. */
export const anyText = fc.string({ unit: 'binary', maxLength: 12 });

const hex = (digits: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits });

const host = fc.oneof(
  fc.constantFrom('a', 'db-1.local', '10.0.0.7', '[::1]', 'größe'),
  fc.string({ unit: fc.constantFrom(...'abcxyz019.-'), minLength: 1, maxLength: 20 }),
);
const anyAddress = fc
  .tuple(fc.constantFrom('ws', 'wss'), host, fc.integer({ min: 1, max: 65_535 }))
  .map(([scheme, name, port]) => `${scheme}://${name}:${port}`);
const anyKey: fc.Arbitrary<NodeKey> = fc
  .tuple(anyAddress, hex(16))
  .map(([address, uid]) => `${address}#${uid}`);

const anyNumber = fc.oneof(fc.nat(200), fc.nat(), fc.maxSafeNat());
const anyDigest: fc.Arbitrary<Digest> = hex(32);
const anyBits: fc.Arbitrary<SeenBits> = fc.oneof(
  fc.constant('all' as const),
  fc.uint8Array({ maxLength: 20 }),
);
const keys = fc.array(anyKey, { maxLength: 4 });
const word = fc.stringMatching(/^[\w.+-]{1,64}$/);
const roles = fc.array(word, { maxLength: 4 });

/** Absent where there are none. */
const leases = fc.option(fc.array(anyDigest, { minLength: 1, maxLength: 2 }), { nil: undefined });

const anyMember: fc.Arbitrary<Member> = fc.record({
  key: anyKey,
  status: fc.constantFrom(...(Object.keys(RANK) as Status[])),
  upNumber: fc.option(fc.nat()),
  row: fc
    .record({
      version: anyNumber,
      unreachable: keys,
      unwell: fc.boolean(),
      cutOff: fc.boolean(),
      leases,
    })
    .map(({ leases, ...row }) => (leases === undefined ? row : { ...row, leases })),
  roles,
  appVersion: word,
});

const members = fc.array(anyMember, { maxLength: 4 });
const bucket = fc.record({ index: fc.nat(63), members });

const anyPatch: fc.Arbitrary<Patch> = fc.record({
  base: fc.option(anyDigest),
  digest: anyDigest,
  clusterId: anyKey,
  epoch: anyNumber,
  removed: keys,
  put: members,
  drop: keys,
  buckets: fc.array(bucket, { maxLength: 3 }),
});

const anyStatus: fc.Arbitrary<Said> = fc.record({
  epoch: anyNumber,
  digest: anyDigest,
  seen: anyBits,
});

const anyStanding: fc.Arbitrary<Standing> = fc.record({
  clusterId: fc.option(anyKey, { nil: undefined }),
  first: fc.boolean(),
  loner: fc.boolean(),
  size: anyNumber,
  acceptors: keys,
});

const anyRefusal: fc.Arbitrary<Refusal> = fc.record({
  code: fc.constantFrom(...REFUSAL_CODES),
  message: anyText,
  by: anyAddress,
});

const kind = <K extends Message['kind']>(name: K) => fc.constant(name);

/** One arbitrary for each kind; the type makes a new kind of message add itself here. */
export const messagesByKind: { readonly [K in Message['kind']]: fc.Arbitrary<Message> } = {
  heartbeat: fc.record({
    kind: kind('heartbeat'),
    seq: anyNumber,
    echo: anyNumber,
    observes: fc.boolean(),
    status: anyStatus,
  }),
  status: fc.record({ kind: kind('status'), status: anyStatus, want: fc.boolean() }),
  patch: fc.record({ kind: kind('patch'), patch: anyPatch, seen: anyBits }),
  buckets: fc.record({
    kind: kind('buckets'),
    status: anyStatus,
    buckets: fc.array(hex(8), { maxLength: 64 }),
  }),
  seedAsk: fc.record({ kind: kind('seedAsk'), standing: anyStanding }),
  seedAnswer: fc.record({ kind: kind('seedAnswer'), standing: anyStanding }),
  join: fc.record({ kind: kind('join'), roles, appVersion: word }),
  welcome: fc.record({ kind: kind('welcome'), token: hex(16), patch: anyPatch }),
  introduce: fc.record({ kind: kind('introduce'), token: hex(16), patch: anyPatch }),
  joinRetry: fc.record({
    kind: kind('joinRetry'),
    afterMs: anyNumber,
    freshUid: fc.boolean(),
    ask: fc.array(anyAddress, { maxLength: 4 }),
  }),
  joinRefused: fc.record({ kind: kind('joinRefused'), refusal: anyRefusal }),
  notMember: fc.record({ kind: kind('notMember'), removed: fc.boolean(), epoch: anyNumber }),
  probe: fc.record({ kind: kind('probe'), round: anyNumber }),
  probeFor: fc.record({
    kind: kind('probeFor'),
    subject: anyKey,
    round: anyNumber,
    withinMs: anyNumber,
  }),
  probed: fc.record({
    kind: kind('probed'),
    subject: anyKey,
    round: anyNumber,
    found: fc.boolean(),
  }),
  swim: fc.record({
    kind: kind('swim'),
    packet: fc.constantFrom('ping', 'ack', 'nack', 'gossip', 'sync', 'syncReply'),
    seq: anyNumber,
    target: fc.constant(undefined),
    updates: fc.array(
      fc.record({
        status: fc.constantFrom('alive', 'suspect', 'dead', 'left'),
        subject: anyKey,
        incarnation: fc.nat(),
        from: anyKey,
        unwell: fc.boolean(),
      }),
      { maxLength: 5 },
    ),
  }),
  exitNoted: fc.record({ kind: kind('exitNoted') }),
};

export const anyMessage: fc.Arbitrary<Message> = fc.oneof(...Object.values(messagesByKind));
