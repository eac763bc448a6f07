/** A process with nothing but `ws` and `rxjs` loaded: what a node's memory is held against. */
import { answer, tell } from './child.mjs';
import { rxjs, WebSocketServer } from './raw-ws.mjs';

answer({ loaded: () => ({ names: [WebSocketServer.name, typeof rxjs.Observable] }) });
tell('listening');
