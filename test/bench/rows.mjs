/**
 * Every row: its name on the command line, what it measures, what it is meant to reach; and the
 * scenarios that measure them. Rows that live off the same cluster share a scenario, so that a
 * large cluster is formed once.
 */

/** `reach` is shown as it stands; docs/BENCHMARKS.md explains how each is measured. */
export const rows = [
  row('phi', 'phi evaluated, heartbeat recorded: window 1,000 against 10', '≤ 1.1, no allocation'),
  row('merge', 'merge of two equal 1,000-member states against JSON.parse of one', '≤ 0.01'),
  row('entry', 'one changed entry, digest included: 1,000 members against 10', '≤ 3'),
  row('pick', 'a router picks among ten, against array index', '≤ 10 by turns, no allocation'),
  row('owner', 'owner of a key on a ring: 1,000 members against 10', '≤ 3'),
  row('rebuild', 'a ring of 1,000 with one change against one made anew', '≤ 0.5'),
  row('heartbeat', 'a heartbeat through the stack against raw ws echo of the same size', '≥ 0.6'),
  row('join', 'n joiners at once → all Up at all', '≤ 3 s virtual at 1,000, logarithmic'),
  row('sizes', 'distinct cluster sizes that subscribers saw on the way there', '≤ 10'),
  row('messages', 'steady messages sent per node and second', '≤ 2K, K = 5; same at each n'),
  row('bytes', 'steady control bytes sent per node and second', '≤ 600 B; same at each n'),
  row('connections', 'connections per node, steady', '≤ 2K + 8'),
  row('churn', 'connections per node while members come and go for an hour', '≤ 2K + 8'),
  row('change', 'one change → known everywhere → convergence everywhere', '2 × log2 n hops, twice'),
  row('leave', 'leave → removed everywhere', '< 1 s'),
  row('crash', "crash → unreachable everywhere, against the detector's own trip time", '+ ≤ 1 s'),
  row('crashes', 'ten crash at once → agreed changes until they are gone', '1'),
  row('simulator', 'events per second of one core; memory per node', '≥ 300,000; ≤ 400 KB'),
  row('start', 'real processes started together → all Up at all', '≤ 5 s or ten hellos each'),
  row('cpu', 'idle CPU of a real node against an idle ws process, same frames', '≤ 2'),
  row('memory', 'resident memory over a bare process with ws and rxjs', '≤ 20 MB'),
];

function row(name, about, reach) {
  return { name, about, reach };
}

const total = (numbers) => numbers.reduce((sum, n) => sum + n, 0);

/** What each scenario measures, and how long it takes on a machine of its own, in seconds. */
const scenarios = [
  {
    name: 'phi',
    rows: ['phi'],
    seconds: ({ quick }) => (quick ? 5 : 15),
    // No sweep of the young space inside a measured loop, so that what is allocated can be counted.
    flags: () => ['--min-semi-space-size=64'],
  },
  { name: 'states', rows: ['merge', 'entry'], seconds: () => 8 },
  {
    name: 'routing',
    rows: ['pick', 'owner', 'rebuild'],
    seconds: ({ quick }) => (quick ? 6 : 15),
    // As for phi.
    flags: () => ['--min-semi-space-size=64'],
  },
  { name: 'heartbeat', rows: ['heartbeat'], seconds: ({ quick }) => (quick ? 6 : 25) },
  {
    name: 'simulated',
    rows: [
      'join',
      'sizes',
      'messages',
      'bytes',
      'connections',
      'change',
      'leave',
      'crash',
      'crashes',
      'simulator',
    ],
    seconds: ({ sizes }) => total(sizes.map((n) => 2 + 8 * (n / 100) ** 1.9)),
    flags: ({ sizes }) => [`--max-old-space-size=${2_000 + 10 * sizes.at(-1)}`],
  },
  { name: 'churn', rows: ['churn'], seconds: ({ quick }) => (quick ? 15 : 120) },
  {
    name: 'processes',
    rows: ['start', 'messages', 'bytes', 'connections', 'cpu', 'memory', 'leave', 'crash'],
    seconds: ({ processes, quick }) => total(processes.map((n) => n + (quick ? 40 : 65))),
    // Most of it is waiting, which takes as long on any machine.
    waits: true,
  },
];

/** The scenarios that measure any of these rows, each with how long it will take. */
export function scenariosFor(wanted, options) {
  const need = scenarios.filter((scenario) => scenario.rows.some((name) => wanted.includes(name)));
  return need.map((scenario) => ({
    ...scenario,
    seconds: scenario.seconds(options),
    flags: scenario.flags?.(options) ?? [],
  }));
}
