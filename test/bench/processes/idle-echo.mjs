/** A bare `ws` server that answers each frame with its bytes: what a node's idle CPU is held against. */
import { answer, tell } from './child.mjs';
import { WebSocketServer } from './raw-ws.mjs';

let frames = 0;
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (ws) =>
  ws.on('message', (data) => {
    frames++;
    ws.send(data);
  }),
);
answer({ sample: () => ({ frames }) });
server.once('listening', () => tell('listening', { port: server.address().port }));
