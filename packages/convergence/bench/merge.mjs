/**
 * What a state costs, as ratios inside one run: `node packages/convergence/bench/merge.mjs` after a
 * build. Prints one row per figure of the cost table, and whether it is within reach.
 */
import {
  accusations,
  apply,
  baseNeighbours,
  bucketDigests,
  bucketPatch,
  defaultRules,
  diff,
  emptyRow,
  f,
  merge,
  neighbours,
  reach,
  Seen,
  State,
} from '../dist/index.js';

const memberAt = (index) => ({
  key: `ws://10.0.${index >> 8}.${index & 255}:7355#${(index * 2654435761) >>> 0}`,
  status: 'Up',
  upNumber: 1 + (index >> 4),
  row: emptyRow,
  roles: ['worker'],
  appVersion: '1.4.0',
});

const parts = (size) => ({
  clusterId: memberAt(0).key,
  epoch: 100,
  members: Array.from({ length: size }, (_, index) => memberAt(index)),
  removed: [],
});

/** Nanoseconds per call, the best of several rounds: what the machine can do, not what else it does. */
function nanoseconds(work) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 9; round += 1) {
    let calls = 1;
    for (;;) {
      const start = process.hrtime.bigint();
      for (let call = 0; call < calls; call += 1) work(call);
      const spent = Number(process.hrtime.bigint() - start);
      if (spent > 2e7) {
        best = Math.min(best, spent / calls);
        break;
      }
      calls *= 2;
    }
  }
  return best;
}

const show = (ns) => (ns < 1e4 ? `${ns.toFixed(0)} ns` : `${(ns / 1e3).toFixed(1)} us`);

function row(what, cost, against, reference, most) {
  const ratio = cost / reference;
  const verdict =
    most === undefined ? '' : ratio <= most ? `ok (<= ${most})` : `MISSED (<= ${most})`;
  console.log(
    `${what.padEnd(58)} ${show(cost).padStart(9)}  ${against.padEnd(34)} ${show(reference).padStart(9)}  ` +
      `ratio ${ratio.toPrecision(3).padStart(8)}  ${verdict}`,
  );
}

const large = State.from(parts(1000));
const equal = State.from(parts(1000));
const small = State.from(parts(10));
const text = JSON.stringify(parts(1000));

const parse = nanoseconds(() => JSON.parse(text));
row(
  'merge of two equal 1,000-member states',
  nanoseconds(() => merge(large, equal)),
  'JSON.parse of one',
  parse,
  0.01,
);

/** One entry with a new row each time, its digest read, so that nothing is left for later. */
function oneChange(state) {
  const member = state.members[5];
  return nanoseconds((call) => {
    const next = state.with({ ...member, row: { ...emptyRow, version: 1 + (call % 1000) } });
    if (next.digest === '') throw new Error('no digest');
  });
}
row(
  'one changed entry at 1,000 members, digest included',
  oneChange(large),
  'the same at 10',
  oneChange(small),
  3,
);

function oneMerge(state) {
  const member = state.members[5];
  const next = state.with({ ...member, row: { ...emptyRow, version: 1 } });
  const other = state.with({ ...state.members[6], status: 'Leaving' });
  return nanoseconds(() => {
    if (merge(other, next).digest === '') throw new Error('no digest');
  });
}
row(
  'merge of two that differ in two entries, at 1,000',
  oneMerge(large),
  'the same at 10',
  oneMerge(small),
  3,
);

const changed = large.with({ ...large.members[5], status: 'Leaving' });
const patch = diff(large, changed);
const applied = nanoseconds(() => apply(large, patch));
row('apply of a one-entry patch at 1,000', applied, 'JSON.parse of one', parse);
row(
  'diff of two states one entry apart at 1,000',
  nanoseconds(() => diff(large, changed)),
  'JSON.parse of one',
  parse,
);
const digests = bucketDigests(large);
row(
  'bucketPatch, one bucket apart, at 1,000',
  nanoseconds(() => bucketPatch(large.digest, digests, changed)),
  'JSON.parse of one',
  parse,
);

const key = large.members[7].key;
const accused = new Set([large.members[8].key]);
row(
  'neighbours of one key at 1,000, K = 5, one accused',
  nanoseconds(() => neighbours(large, key, 5, accused)),
  'JSON.parse of one',
  parse,
);

const seen = Seen.all(large);
const only = Seen.only(large, key);
row(
  'union of two seen sets at 1,000',
  nanoseconds(() => only.union(seen)),
  'JSON.parse of one',
  parse,
);

/** A crash: ten observers name one member; a fresh state each time, as its answers are kept. */
const subject = large.members[500].key;
const named = baseNeighbours(large, subject, 5).reduce((state, observer) => {
  const member = state.get(observer);
  return state.with({ ...member, row: { ...emptyRow, version: 1, unreachable: [subject] } });
}, large);
let turn = 0;
const nextTurn = () => {
  turn += 1;
  return turn;
};
const fresh = () => {
  const version = nextTurn();
  return named.with({ ...named.members[3], row: { ...emptyRow, version } });
};
row(
  'accusations after a crash at 1,000',
  nanoseconds(() => accusations(fresh(), defaultRules)),
  'JSON.parse of one',
  parse,
);
row(
  'reach after a crash at 1,000',
  nanoseconds(() => reach(fresh(), key, new Set(), defaultRules)),
  'JSON.parse of one',
  parse,
);
row(
  'f with one leaving at 1,000',
  nanoseconds(() =>
    f(
      changed.with({ ...changed.members[9], row: { ...emptyRow, version: nextTurn() } }),
      defaultRules,
    ),
  ),
  'JSON.parse of one',
  parse,
);
