/** Figures as aligned text or as JSON. */
import { cpus, loadavg } from 'node:os';

const COMMAND = 'npm run bench -- --only';

/**
 * A figure: `value` of `what` in `unit`, against `other` (what `against` names) in the same run, and
 * whether that is within reach; `isMet` is left out where nothing was asked.
 */
export function figure(row, what, { value, unit = '', against, other, ratio, ...rest }) {
  const quotient = ratio ?? (other === undefined ? undefined : value / other);
  return { row, what, value, unit, against, other, ratio: quotient, ...rest };
}

/** A row or a part of it that cannot be measured here, and why. */
export const notHere = (row, what, why) => ({ row, what, notHere: why });

function number(value) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1_000) return Math.round(value).toLocaleString('en');
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return Number(value.toFixed(1)).toString();
  if (size >= 0.1) return Number(value.toFixed(2)).toString();
  return Number(value.toPrecision(2)).toString();
}

const withUnit = (value, unit) => (unit ? `${number(value)} ${unit}` : number(value));

function cells(figure) {
  if (figure.notHere) return [figure.what, 'not here', figure.notHere, '', '', ''];
  const { what, value, unit, against, other, otherUnit = unit, ratio, reach, isMet } = figure;
  const peer = other === undefined ? '' : ` ${withUnit(other, otherUnit)}`;
  return [
    what,
    withUnit(value, unit),
    against ? `${against}${peer}` : '',
    ratio === undefined ? '' : number(ratio),
    reach ?? '',
    isMet === undefined ? '' : isMet ? 'ok' : 'MISSED',
  ];
}

const HEAD = ['', 'measured', 'against', 'ratio', 'reach', ''];
const RIGHT = new Set([1, 3]);

function align(lines) {
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => [...line[i]].length)));
  return lines.map((line) =>
    line
      .map((cell, i) => {
        const room = ' '.repeat(widths[i] - [...cell].length);
        return RIGHT.has(i) ? room + cell : cell + room;
      })
      .join('  ')
      .trimEnd(),
  );
}

const figuresOf = (row, results) =>
  results.flatMap(({ figures }) => figures).filter((figure) => figure.row === row.name);

const problemsOf = (row, results) =>
  results.filter(({ rows, problem }) => problem && rows.includes(row.name));

export function tableText(rows, results, options) {
  const lines = align([HEAD, ...rows.flatMap((row) => figuresOf(row, results).map(cells))]);
  let next = 1;
  const parts = rows.map((row) => {
    const figures = figuresOf(row, results);
    const title = `${row.name}: ${row.about}\n  ${COMMAND} ${row.name}`;
    const body = figures.flatMap((figure) => {
      const line = `  ${lines[next++]}`;
      return figure.note ? [line, `      ${figure.note}`] : [line];
    });
    const failed = problemsOf(row, results).map(({ problem }) => `  could not run: ${problem}`);
    const none = figures.length + failed.length === 0 ? ['  not measured at these sizes'] : [];
    return [title, ...body, ...failed, ...none].join('\n');
  });
  return `\n  ${lines[0]}\n\n${parts.join('\n\n')}\n\n${verdict(results)} ${where(options)}\n`;
}

function verdict(results) {
  const measured = results.flatMap(({ figures }) => figures);
  const isMissed = ({ isMet }) => isMet === false;
  const missed = measured.filter(isMissed).length;
  const failed = results.filter(({ problem }) => problem).length;
  const words = [`${measured.length} figures`, `${missed} out of reach`];
  return [...words, ...(failed > 0 ? [`${failed} scenarios could not run`] : [])]
    .join(', ')
    .concat('.');
}

const where = ({ quick }) =>
  `Node ${process.version}, ${cpus().length} cores under a load of ${number(loadavg()[2])}${quick ? ', quick' : ''}; docs/BENCHMARKS.md says how to read this.`;

export const listText = (rows) => {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const about = Math.max(...rows.map((row) => [...row.about].length));
  const line = (row) =>
    `${row.name.padEnd(width)}  ${row.about}${' '.repeat(about - [...row.about].length)}  ${row.reach}`;
  return `${rows.map(line).join('\n')}\n`;
};

export function toJson(rows, results, { quick, sizes, processes }) {
  const shown = rows.map((row) => ({
    ...row,
    command: `${COMMAND} ${row.name}`,
    problems: problemsOf(row, results).map(({ problem }) => problem),
    figures: figuresOf(row, results).map(({ row: _, ...rest }) => rest),
  }));
  const run = {
    node: process.version,
    cores: cpus().length,
    load: loadavg()[2],
    quick,
    sizes,
    processes,
  };
  return `${JSON.stringify({ run, rows: shown }, undefined, 2)}\n`;
}
