/** Steady traffic and connections as figures: the same for simulated nodes and for processes. */
import { mean } from './measure.mjs';
import { figure } from './report.mjs';

const BYTES_MAX = 600;
const TOLERANCE = 0.1;

/** The measurement that others are compared with: at n = 100, or the largest there is. */
const base = (lives) => lives.find(({ n }) => n === 100) ?? lives.at(-1);

/** A node of a small cluster has fewer neighbours than its rings would give it. */
const neighbours = ({ n, rings }) => Math.min(n - 1, 2 * rings);

export function trafficFigures(given) {
  const lives = given.filter(({ messages }) => messages !== undefined);
  const peer = base(lives);
  return lives.flatMap((life) => {
    const { where, n, messages, bytes, rings } = life;
    const against = n === peer.n ? {} : { against: `n = ${peer.n}` };
    const other = (value) => (n === peer.n ? {} : { other: value });
    const expected = neighbours(life) / neighbours(peer);
    const isSame = (ratio) => Math.abs(ratio / expected - 1) <= TOLERANCE;
    return [
      figure('messages', `${where}, n = ${n}`, {
        value: messages,
        unit: '/s',
        ...against,
        ...other(peer.messages),
        reach: `≤ ${2 * rings}; same at each n`,
        note: few(life),
        isMet: messages <= 2 * rings && isSame(messages / peer.messages),
      }),
      figure('bytes', `${where}, n = ${n}`, {
        value: bytes,
        unit: 'B/s',
        ...against,
        ...other(peer.bytes),
        reach: `≤ ${BYTES_MAX}; same at each n`,
        note: few(life),
        isMet: bytes <= BYTES_MAX && isSame(bytes / peer.bytes),
      }),
    ];
  });
}

const few = (life) =>
  neighbours(life) < 2 * life.rings ? `there are only ${neighbours(life)} others` : undefined;

export function connectionFigures(lives) {
  return lives
    .filter(({ connections }) => connections !== undefined)
    .map(({ where, n, rings, connections }) => {
      const most = Math.max(...connections);
      const reach = 2 * rings + 8;
      return figure('connections', `${where}, n = ${n}, most at one node`, {
        value: most,
        against: 'mean',
        other: mean(connections),
        reach: `≤ ${reach}`,
        isMet: most <= reach,
      });
    });
}
