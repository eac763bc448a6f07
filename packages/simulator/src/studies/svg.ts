/** The little of SVG that the pictures of studies need: elements as text, and how they look. */

/** Colours that can be told apart by people who see few of them (Okabe and Ito). */
export const SERIES_COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#8c6d31',
  '#22272e',
];

export const INK = '#22272e';
export const FAINT = '#6b7480';
const RULE = '#e3e7ec';

type Attributes = Readonly<Record<string, string | number>>;

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export function element(name: string, attributes: Attributes, inside = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => {
    const text = typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;
    return ` ${key}="${escapeText(text)}"`;
  });
  return `<${name}${pairs.join('')}${inside === '' ? '/>' : `>${inside}</${name}>`}`;
}

export const words = (x: number, y: number, text: string, attributes: Attributes = {}): string =>
  element('text', { x, y, fill: INK, 'font-size': 13, ...attributes }, escapeText(text));

export const rule = (x1: number, y1: number, x2: number, y2: number): string =>
  element('line', { x1, y1, x2, y2, stroke: RULE, 'stroke-width': 1 });

/** A whole picture on white. The title is also what a screen reader says. */
export function picture(
  width: number,
  height: number,
  title: string,
  parts: readonly string[],
): string {
  const font = 'system-ui, -apple-system, &quot;Segoe UI&quot;, sans-serif'.replaceAll(
    '&quot;',
    "'",
  );
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}`,
    role: 'img',
    'font-family': font,
  };
  const ground = element('rect', { width, height, fill: '#ffffff' });
  const inside = [element('title', {}, escapeText(title)), ground, ...parts].join('\n');
  return `${element('svg', attributes, `\n${inside}\n`)}\n`;
}
