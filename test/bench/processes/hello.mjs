/** Exchanges one hello with each of the given ports over bare `ws`: what forming a cluster is held against. */
import { answer, tell, wallMs } from './child.mjs';
import { WebSocket, WebSocketServer } from './raw-ws.mjs';

const HELLO_BYTES = 300;
const hello = Buffer.alloc(HELLO_BYTES, 1);

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (ws) => ws.on('message', () => ws.send(hello)));

function exchange(port) {
  const ws = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    ws.once('open', () => ws.send(hello));
    ws.once('message', resolve);
    ws.once('error', reject);
  });
}

answer({
  async exchange({ ports }) {
    await Promise.all(ports.map(exchange));
    return { atMs: wallMs() };
  },
});
server.once('listening', () => tell('listening', { port: server.address().port }));
