/** The public names of @rollcall/transport-websocket. */
export { SUBPROTOCOL } from './lane.js';
export type { MessageClasses } from './message-classes.js';
export type { TransportTls } from './tls-options.js';
export type { TransportCounts } from './transport-counts.js';
export type { WebSocketTransportOptions } from './transport-options.js';
export { WebSocketTransport } from './websocket-transport.js';
