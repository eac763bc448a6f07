/** Lines and dots over two axes, each linear or logarithmic. */
import { element, FAINT, picture, rule, SERIES_COLOURS, words } from './svg.js';

type Point = readonly [x: number, y: number];

interface Axis {
  readonly label: string;
  /** Where there is a line and a number; the first and the last are the ends. */
  readonly ticks: readonly number[];
  readonly isLogarithmic?: boolean;
  readonly show?: (tick: number) => string;
}

export interface LineChart {
  readonly title: string;
  readonly subtitle: string;
  readonly x: Axis;
  readonly y: Axis;
  /** What lies beyond the axes is not drawn. */
  readonly series: readonly {
    readonly label: string;
    readonly line?: readonly Point[];
    readonly dots?: readonly Point[];
  }[];
}

const WIDTH = 870;
const HEIGHT = 480;
const PLOT = { left: 92, right: 640, top: 112, bottom: 412 };

export function lineChart({ title, subtitle, x, y, series }: LineChart): string {
  const xAt = scaleOf(x, PLOT.left, PLOT.right);
  const yAt = scaleOf(y, PLOT.bottom, PLOT.top);
  const parts = [
    words(28, 40, title, { 'font-size': 19, 'font-weight': 600 }),
    words(28, 62, subtitle, { fill: FAINT }),
    ...axes(x, y, xAt, yAt),
  ];
  const isInside = ([px, py]: Point) => isWithin(x, px) && isWithin(y, py);
  series.forEach(({ label, line = [], dots = [] }, i) => {
    const colour = SERIES_COLOURS[i % SERIES_COLOURS.length] as string;
    const points = line.filter(isInside).map(([px, py]) => `${fixed(xAt(px))},${fixed(yAt(py))}`);
    const path = { points: points.join(' '), fill: 'none', stroke: colour, 'stroke-width': 2 };
    if (points.length > 1) parts.push(element('polyline', path));
    for (const [px, py] of dots.filter(isInside)) {
      const dot = { cx: xAt(px), cy: yAt(py), r: 4, fill: colour, stroke: '#ffffff' };
      parts.push(element('circle', dot));
    }
    const at = PLOT.top + 8 + i * 24;
    parts.push(
      element('rect', { x: PLOT.right + 24, y: at, width: 14, height: 14, rx: 3, fill: colour }),
    );
    parts.push(words(PLOT.right + 46, at + 12, label));
  });
  return picture(WIDTH, HEIGHT, title, parts);
}

function axes(x: Axis, y: Axis, xAt: (v: number) => number, yAt: (v: number) => number): string[] {
  const quiet = { fill: FAINT, 'font-size': 12 };
  const middle = (PLOT.left + PLOT.right) / 2;
  return [
    ...y.ticks.flatMap((tick) => [
      rule(PLOT.left, yAt(tick), PLOT.right, yAt(tick)),
      words(PLOT.left - 10, yAt(tick) + 4, show(y, tick), { ...quiet, 'text-anchor': 'end' }),
    ]),
    ...x.ticks.flatMap((tick) => [
      rule(xAt(tick), PLOT.top, xAt(tick), PLOT.bottom),
      words(xAt(tick), PLOT.bottom + 20, show(x, tick), { ...quiet, 'text-anchor': 'middle' }),
    ]),
    words(middle, PLOT.bottom + 46, x.label, { fill: FAINT, 'text-anchor': 'middle' }),
    words(28, PLOT.top - 12, y.label, { fill: FAINT }),
  ];
}

const fixed = (value: number): string => value.toFixed(1);

const show = ({ show: own }: Axis, tick: number): string =>
  own?.(tick) ?? tick.toLocaleString('en');

function ends({ ticks }: Axis): readonly [number, number] {
  return [ticks[0] as number, ticks.at(-1) as number];
}

function isWithin(axis: Axis, value: number): boolean {
  const [from, to] = ends(axis);
  return value >= from && value <= to;
}

function scaleOf(axis: Axis, start: number, end: number): (value: number) => number {
  const [from, to] = ends(axis).map((v) => (axis.isLogarithmic ? Math.log(v) : v)) as [
    number,
    number,
  ];
  return (value) => {
    const at = axis.isLogarithmic ? Math.log(value) : value;
    return start + ((at - from) / (to - from)) * (end - start);
  };
}
