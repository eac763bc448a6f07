/** Back-pressure from the side that reads: the network passes it on to whoever sends. */
import type { Clock } from '@rollcall/core';
import type { WebSocket } from 'ws';

/** Reads nothing more for so long. What is buffered already still comes, and makes the next wait longer. */
export function readSlower(ws: WebSocket, waitMs: number, clock: Clock): void {
  if (waitMs === 0 || ws.isPaused || ws.readyState !== ws.OPEN) return;
  ws.pause();
  clock.schedule(waitMs, () => ws.resume());
}
