/** The command line of `npm run bench`, read once; what it says wrong is one sentence. */
import { parseArgs } from 'node:util';

export const HELP = `Measures what Rollcall costs and how fast it agrees, as ratios inside one run.

  npm run bench                          every row; about half an hour on a machine of its own
  npm run bench -- --quick               every row at smaller sizes; a few minutes
  npm run bench -- --list                the rows, with what each measures and is meant to reach
  npm run bench -- --only phi            one row; may be given more than once, or with commas
  npm run bench -- --sizes 10,100        simulated clusters of these sizes
  npm run bench -- --processes 10,20     clusters of so many real processes
  npm run bench -- --json                the result as JSON on stdout; progress goes to stderr
  npm run bench -- --help                this

Exit code: 0 measured, 1 a row could not be measured, 64 usage. A figure out of reach is no failure.
`;

const FLAGS = {
  help: { type: 'boolean', short: 'h', default: false },
  list: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true, default: [] },
  sizes: { type: 'string' },
  processes: { type: 'string' },
};

const words = (texts) => texts.flatMap((text) => text.split(',')).filter((word) => word !== '');

function counts(text, least) {
  const numbers = words([text]).map(Number);
  const isFine = numbers.length > 0 && numbers.every((n) => Number.isInteger(n) && n >= least);
  return isFine ? [...new Set(numbers)].sort((a, b) => a - b) : undefined;
}

/** The options, or what is wrong with them. */
export function readArguments(args, rows) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: FLAGS }));
  } catch (error) {
    return { options: {}, problem: error.message };
  }
  const only = words(values.only);
  const unknown = only.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) {
    return { options: {}, problem: `there is no row "${unknown}"; --list shows them` };
  }
  const sizes = counts(values.sizes ?? (values.quick ? '10,50,100' : '10,100,300,1000'), 3);
  if (!sizes) return { options: {}, problem: '--sizes takes whole numbers from 3, e.g. 10,100' };
  const processes = counts(values.processes ?? (values.quick ? '5' : '10,20'), 3);
  if (!processes) {
    return { options: {}, problem: '--processes takes whole numbers from 3, e.g. 10,20' };
  }
  return { options: { ...values, only, sizes, processes } };
}
