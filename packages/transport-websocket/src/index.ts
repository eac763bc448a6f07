/** The public names of @rollcall/transport-websocket. */
export { SUBPROTOCOL } from './lane.js';
export type { TransportTls } from './tls-options.js';
export type { TransportCounts } from './transport-counts.js';
export { WebSocketTransport, type WebSocketTransportOptions } from './websocket-transport.js';
