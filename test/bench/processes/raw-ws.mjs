/** `ws` and `rxjs` as the packages have them, for the processes that Rollcall's nodes are compared with. */
import { createRequire } from 'node:module';

const packages = new URL('../../../packages/', import.meta.url);
const from = (name) => createRequire(new URL(`${name}/package.json`, packages));

export const { WebSocket, WebSocketServer } = from('transport-websocket')('ws');
export const rxjs = from('core')('rxjs');
