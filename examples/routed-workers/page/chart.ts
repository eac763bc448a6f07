/** The picture: what each worker answers as bands upon one another, and lines where something happened. */
import uPlot from 'uplot';
import { KEPT_MS, MARK_KINDS, type Mark, type Sample } from './news.js';
import { label } from './words.js';

const FONT_PX = 13;
const ROW_PX = 18;
const GUTTER_PX = 44;
/** A band that is thinner has no room for its name. */
const NAMED_PX = 12;
/** Below it half as many times are written. */
const NARROW_PX = 500;
/** So high that the peak after a kill seldom moves the scale. */
const USUAL_MAX = 300;

export interface Chart {
  draw(samples: readonly Sample[], marks: readonly Mark[]): void;
}

/** Colours are the page's own, and are asked for anew: they change with light and dark. */
const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export function createChart(place: HTMLElement, names: readonly string[]): Chart {
  let marks: readonly Mark[] = [];
  const size = () => ({ width: place.clientWidth, height: place.clientHeight });
  const plot = new uPlot(
    {
      ...size(),
      padding: [MARK_KINDS.length * ROW_PX + 4, GUTTER_PX, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false }, y: { range: (_, __, max) => [0, yMax(max)] } },
      axes: [timeAxis(), rateAxis()],
      series: [{}, ...names.map((_, i) => band(names.length - 1 - i))],
      hooks: { draw: [(drawn) => drawNames(drawn, names), (drawn) => drawMarks(drawn, marks)] },
    },
    stacked([], names.length),
    place,
  );
  new ResizeObserver(() => plot.setSize(size())).observe(place);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot.redraw());
  return {
    draw(samples, newMarks) {
      marks = newMarks;
      plot.batch(() => {
        plot.setData(stacked(samples, names.length), false);
        const max = samples.at(-1)?.atMs ?? 0;
        plot.setScale('x', { min: max - KEPT_MS, max });
      });
    },
  };
}

const yMax = (max: number | null): number => Math.max(USUAL_MAX, Math.ceil((max ?? 0) / 100) * 100);

/** The whole first and the lowest band last: each is painted from its top to the ground, over the ones before. */
function stacked(samples: readonly Sample[], count: number): uPlot.AlignedData {
  const sums = samples.map(({ answered }) => {
    let sum = 0;
    return answered.map((each) => {
      sum += each;
      return sum;
    });
  });
  const tops = Array.from({ length: count }, (_, i) => count - 1 - i);
  return [samples.map(({ atMs }) => atMs), ...tops.map((top) => sums.map((sum) => sum[top] ?? 0))];
}

const band = (worker: number): uPlot.Series => ({
  fill: () => colour(`worker-${worker}`),
  stroke: () => colour('surface'),
  width: 1.5,
  points: { show: false },
});

const axis = (): uPlot.Axis => ({
  stroke: () => colour('muted'),
  font: `${FONT_PX}px system-ui, sans-serif`,
  grid: { stroke: () => colour('grid'), width: 1 },
  ticks: { show: false },
});

/** The lines stand still and the bands move: what counts is how long ago it was. */
const timeAxis = (): uPlot.Axis => ({
  ...axis(),
  size: 30,
  splits: (plot) => {
    const now = plot.scales.x?.max ?? 0;
    const stepMs = plot.width < NARROW_PX ? 20_000 : 10_000;
    return Array.from({ length: KEPT_MS / stepMs + 1 }, (_, i) => now - KEPT_MS + i * stepMs);
  },
  values: (plot, splits) => {
    const now = plot.scales.x?.max ?? 0;
    return splits.map((at) => {
      const ago = Math.round((now - at) / 1_000);
      return ago === 0 ? 'now' : `−${ago} s`;
    });
  },
});

const rateAxis = (): uPlot.Axis => ({ ...axis(), size: 44, incrs: [50, 100, 200, 500, 1_000] });

/** Beside each band its name, so that nobody has to compare colours. */
function drawNames(plot: uPlot, names: readonly string[]): void {
  const { ctx, bbox } = plot;
  const last = plot.data[0].length - 1;
  if (last < 0) return;
  const top = (worker: number) => Number(plot.data[names.length - worker]?.[last] ?? 0);
  prepare(ctx, 'left');
  names.forEach((name, worker) => {
    const [low, high] = [worker === 0 ? 0 : top(worker - 1), top(worker)];
    const [lowPx, highPx] = [plot.valToPos(low, 'y', true), plot.valToPos(high, 'y', true)];
    if (lowPx - highPx < NAMED_PX * uPlot.pxRatio) return;
    ctx.fillStyle = colour('ink');
    ctx.fillText(name, bbox.left + bbox.width + 8 * uPlot.pxRatio, (lowPx + highPx) / 2);
  });
  ctx.restore();
}

/**
 * A line each, as high as the row of its words, which end at it. What happens last has the highest row, so a line never
 * goes through the words of the ones before it.
 */
function drawMarks(plot: uPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = plot;
  const px = uPlot.pxRatio;
  const { min = 0, max = 0 } = plot.scales.x ?? {};
  const drawn = marks.filter(({ atMs }) => atMs >= (min ?? 0) && atMs <= (max ?? 0));
  const rowOf = ({ kind }: Mark) =>
    bbox.top - (MARK_KINDS.indexOf(kind) + 0.5) * ROW_PX * px - 2 * px;
  prepare(ctx, 'right');
  ctx.strokeStyle = colour('ink');
  ctx.lineWidth = 1.5 * px;
  for (const mark of drawn) {
    const x = Math.round(plot.valToPos(mark.atMs, 'x', true));
    ctx.setLineDash(mark.kind === 'killed' ? [] : [4 * px, 3 * px]);
    ctx.beginPath();
    ctx.moveTo(x, rowOf(mark) - (ROW_PX / 2 - 2) * px);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  if (drawn.length === 0) drawHint(plot);
  // The newest has the row where there is no room for all.
  const taken = new Map<number, number>();
  for (const mark of drawn.toReversed()) {
    const [x, y, text] = [plot.valToPos(mark.atMs, 'x', true), rowOf(mark), label(mark)];
    const width = ctx.measureText(text).width + 10 * px;
    if (x > (taken.get(y) ?? Number.POSITIVE_INFINITY) || x - width < 0) continue;
    taken.set(y, x - width);
    ctx.fillStyle = colour('surface');
    ctx.fillRect(x - width, y - (ROW_PX / 2 - 1) * px, width - 2 * px, (ROW_PX - 2) * px);
    ctx.fillStyle = colour('ink');
    ctx.fillText(text, x - 6 * px, y);
  }
  ctx.restore();
}

/** The room is there from the beginning, so that nothing moves when it is needed. */
function drawHint({ ctx, bbox }: uPlot): void {
  ctx.fillStyle = colour('muted');
  const [x, y] = [bbox.left + bbox.width, bbox.top - (ROW_PX / 2 + 2) * uPlot.pxRatio];
  ctx.fillText('what happens to a worker is marked here', x, y);
}

function prepare(ctx: CanvasRenderingContext2D, align: CanvasTextAlign): void {
  ctx.save();
  ctx.font = `${FONT_PX * uPlot.pxRatio}px system-ui, sans-serif`;
  ctx.textAlign = align;
  ctx.textBaseline = 'middle';
}
