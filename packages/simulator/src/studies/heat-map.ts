/** Counts as a table whose cells are the darker the more there are, on a logarithmic scale. */
import { element, FAINT, INK, picture, words } from './svg.js';

export interface HeatMap {
  readonly title: string;
  readonly subtitle: string;
  readonly columns: readonly string[];
  /** Rows that belong together stand together. */
  readonly groups: readonly {
    readonly label: string;
    readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
  }[];
}

const CELL_WIDTH = 108;
const CELL_HEIGHT = 26;
const LABELS_WIDTH = 178;
const MARGIN = 28;
const HEAD = 104;
const BETWEEN = 16;
/** A million and more is as dark as it gets. */
const DECADES = 6;

/** From nothing to a million: grey, then yellow over orange to dark red. */
const STOPS = [
  ['#eef1f4', 0],
  ['#fff1c9', 0.01],
  ['#fdc86b', 0.34],
  ['#ee7b3a', 0.67],
  ['#a11d2b', 1],
] as const;

export function heatMap({ title, subtitle, columns, groups }: HeatMap): string {
  const parts = [
    words(MARGIN, 40, title, { 'font-size': 19, 'font-weight': 600 }),
    words(MARGIN, 62, subtitle, { fill: FAINT }),
  ];
  const leftOf = (column: number) => MARGIN + LABELS_WIDTH + column * CELL_WIDTH;
  columns.forEach((column, i) => {
    const centred = { 'text-anchor': 'middle', 'font-weight': 600 };
    parts.push(words(leftOf(i) + CELL_WIDTH / 2, HEAD - 10, column, centred));
  });
  let y = HEAD;
  for (const { label, rows } of groups) {
    parts.push(words(MARGIN, y + 18, label, { 'font-weight': 600 }));
    for (const row of rows) {
      const right = { 'text-anchor': 'end', fill: FAINT };
      parts.push(words(leftOf(0) - 12, y + 18, row.label, right));
      row.values.forEach((value, i) => {
        parts.push(...cell(leftOf(i), y, value));
      });
      y += CELL_HEIGHT;
    }
    y += BETWEEN;
  }
  parts.push(...legend(leftOf(0), y + 4));
  const width = leftOf(columns.length) + MARGIN;
  return picture(width, y + 56, title, parts);
}

function cell(x: number, y: number, value: number): string[] {
  const heat = value < 1 ? 0 : Math.min(1, Math.max(0.01, Math.log10(value) / DECADES));
  const box = { x: x + 1, y: y + 1, width: CELL_WIDTH - 2, height: CELL_HEIGHT - 2, rx: 3 };
  const text = Math.round(value).toLocaleString('en');
  const fill = value < 1 ? FAINT : heat > 0.72 ? '#ffffff' : INK;
  return [
    element('rect', { ...box, fill: colourOf(heat) }),
    words(x + CELL_WIDTH / 2, y + 18, text, { fill, 'text-anchor': 'middle' }),
  ];
}

function legend(x: number, y: number): string[] {
  const steps = [0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
  return steps.flatMap((value, i) => {
    const heat = value === 0 ? 0 : Math.max(0.01, (i - 1) / DECADES);
    const at = x + i * 66;
    const text = value < 1_000 ? String(value) : value < 1e6 ? `${value / 1_000}k` : '1M';
    return [
      element('rect', { x: at, y, width: 18, height: 18, rx: 3, fill: colourOf(heat) }),
      words(at + 24, y + 14, text, { fill: FAINT, 'font-size': 12 }),
    ];
  });
}

function colourOf(heat: number): string {
  const above = STOPS.findIndex(([, at]) => at >= heat);
  const [to, toAt] = STOPS[Math.max(above, 0)] as (typeof STOPS)[number];
  const [from, fromAt] = STOPS[Math.max(above - 1, 0)] as (typeof STOPS)[number];
  const share = toAt === fromAt ? 0 : (heat - fromAt) / (toAt - fromAt);
  const channel = (index: number) => {
    const [a, b] = [from, to].map((hex) => Number.parseInt(hex.slice(index, index + 2), 16));
    return Math.round((a as number) + ((b as number) - (a as number)) * share);
  };
  return `rgb(${channel(1)},${channel(3)},${channel(5)})`;
}
