/** Sends so many connections' worth of frames to each echo, one a second and connection, spread evenly. */
import { answer, tell } from './child.mjs';
import { WebSocket } from './raw-ws.mjs';

const INTERVAL_MS = 1_000;

async function connect(port) {
  const ws = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
  return ws;
}

answer({
  async beat({ ports, connections, bytes }) {
    const frame = Buffer.alloc(bytes, 1);
    for (const port of ports) {
      for (let i = 0; i < connections; i++) {
        const ws = await connect(port);
        const beat = () => setInterval(() => ws.send(frame), INTERVAL_MS);
        setTimeout(beat, (INTERVAL_MS * i) / connections);
      }
    }
  },
});
tell('listening');
