/**
 * What the transport costs on top of a bare WebSocket: a control frame to a peer and back, against the
 * same bytes through `ws` alone, in the same process and in turns. It informs and does not judge.
 * Build first, then:
 *
 *     node packages/transport-websocket/bench/echo.mjs
 */
import { bareEcho, medianRates, transportEcho } from './echoes.mjs';

const row = (...cells) => console.log(cells.map((cell) => String(cell).padStart(16)).join(''));

row('bytes', 'under way', 'ws, /s of CPU', 'transport', 'ratio');
for (const size of [80, 1_024]) {
  const echoes = [await bareEcho(size), await transportEcho(size)];
  for (const window of [1, 64]) {
    const effort = { frames: 20_000, window, repetitions: 7 };
    const [raw, ours] = await medianRates(echoes, effort);
    row(size, window, Math.round(raw), Math.round(ours), (ours / raw).toFixed(2));
  }
  for (const echo of echoes) await echo.close();
}
