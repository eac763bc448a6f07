/**
 * What a state costs, as ratios inside one run: `node packages/convergence/bench/merge.mjs` after a
 * build. Prints one line per figure, at 1,000 members unless it says otherwise.
 */
import { fileURLToPath } from 'node:url';
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

const large = State.from(parts(1000));
const equal = State.from(parts(1000));
const small = State.from(parts(10));
const text = JSON.stringify(parts(1000));
const key = large.members[7].key;
const changed = large.with({ ...large.members[5], status: 'Leaving' });

/** One entry with a new row each time, its digest read, so that nothing is left for later. */
function oneChange(state) {
  const member = state.members[5];
  return nanoseconds((call) => {
    const next = state.with({ ...member, row: { ...emptyRow, version: 1 + (call % 1000) } });
    if (next.digest === '') throw new Error('no digest');
  });
}

function oneMerge(state) {
  const member = state.members[5];
  const next = state.with({ ...member, row: { ...emptyRow, version: 1 } });
  const other = state.with({ ...state.members[6], status: 'Leaving' });
  return nanoseconds(() => {
    if (merge(other, next).digest === '') throw new Error('no digest');
  });
}

let turn = 0;
const nextTurn = () => {
  turn += 1;
  return turn;
};

/** A crash: ten observers name one member; a fresh state each time, as its answers are kept. */
const subject = large.members[500].key;
const named = baseNeighbours(large, subject, 5).reduce((state, observer) => {
  const member = state.get(observer);
  return state.with({ ...member, row: { ...emptyRow, version: 1, unreachable: [subject] } });
}, large);
const fresh = () => {
  const version = nextTurn();
  return named.with({ ...named.members[3], row: { ...emptyRow, version } });
};

/** Work at 1,000 members, each against `JSON.parse` of such a state. */
function againstParse() {
  const patch = diff(large, changed);
  const digests = bucketDigests(large);
  const accused = new Set([large.members[8].key]);
  const seen = Seen.all(large);
  const only = Seen.only(large, key);
  const leaving = () =>
    changed.with({ ...changed.members[9], row: { ...emptyRow, version: nextTurn() } });
  return {
    'apply of a one-entry patch': () => apply(large, patch),
    'diff of two states one entry apart': () => diff(large, changed),
    'bucketPatch, one bucket apart': () => bucketPatch(large.digest, digests, changed),
    'neighbours of one key, K = 5, one accused': () => neighbours(large, key, 5, accused),
    'union of two seen sets': () => only.union(seen),
    'accusations after a crash': () => accusations(fresh(), defaultRules),
    'reach after a crash': () => reach(fresh(), key, new Set(), defaultRules),
    'f with one leaving': () => f(leaving(), defaultRules),
  };
}

/** Nanoseconds of each piece of work, of what it is held against, and the most their ratio should be. */
export function* stateCosts() {
  const parse = { against: 'JSON.parse of one', otherNs: nanoseconds(() => JSON.parse(text)) };
  const row = 'merge';
  const equals = nanoseconds(() => merge(large, equal));
  yield { row, what: 'merge of two equal states', ns: equals, ...parse, most: 0.01 };
  const at10 = (work) => ({ ns: work(large), against: 'the same at 10', otherNs: work(small) });
  const entry = 'one changed entry, digest included';
  yield { row: 'entry', what: entry, ...at10(oneChange), most: 3 };
  yield { row: 'entry', what: 'merge of two that differ in two', ...at10(oneMerge), most: 3 };
  for (const [what, work] of Object.entries(againstParse()))
    yield { row, what, ns: nanoseconds(work), ...parse };
}

const show = (ns) => (ns < 1e4 ? `${ns.toFixed(0)} ns` : `${(ns / 1e3).toFixed(1)} us`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { what, ns, against, otherNs, most } of stateCosts()) {
    const ratio = ns / otherNs;
    const reach = ratio <= most ? `ok (<= ${most})` : `MISSED (<= ${most})`;
    console.log(
      `${what.padEnd(42)} ${show(ns).padStart(9)}  ${against.padEnd(18)} ${show(otherNs).padStart(9)}  ` +
        `ratio ${ratio.toPrecision(3).padStart(8)}  ${most === undefined ? '' : reach}`,
    );
  }
}
