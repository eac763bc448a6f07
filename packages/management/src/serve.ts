/**
 * The adapter from node:http to a handler of Request and Response. It has no routes and no opinion;
 * it keeps one client's nonsense, slowness or absence from becoming anybody else's problem.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { firstValueFrom, timer } from 'rxjs';
import { problem } from './answer.js';
import { Connections } from './connections.js';
import type { Handler } from './management.js';
import type { ManagementAddress } from './management-address.js';

/** What one server takes on at most; a client beyond it is disconnected. */
export interface ServerLimits {
  /** At once; a further one takes the place of the oldest that waits for its client. */
  readonly connections: number;
  readonly headerBytes: number;
  /** Until the headers have come, also of a client that sends nothing. */
  readonly headersMs: number;
  /** Until the whole request has come. */
  readonly requestMs: number;
  /** Between an answer and the next request. */
  readonly keepAliveMs: number;
  /** Nothing sent and nothing taken while an answer is under way; longer than an event stream is quiet. */
  readonly stalledMs: number;
  /** How late a connection may be found to be beyond one of these. */
  readonly checkMs: number;
  readonly lastAnswersMs: number;
}

export const LIMITS: ServerLimits = {
  connections: 256,
  headerBytes: 16_384,
  headersMs: 5_000,
  requestMs: 10_000,
  keepAliveMs: 5_000,
  stalledMs: 60_000,
  checkMs: 1_000,
  lastAnswersMs: 500,
};

export interface ManagementServer {
  /** `http://host:port`, with the port that was bound. */
  readonly url: string;
  /** Stops listening, and ends what is still open once it had a moment to be answered. Idempotent. */
  close(): Promise<void>;
}

/** Listens. Rejects with a sentence that names the address when it cannot be bound. */
export function serveManagement(
  handler: Handler,
  { host, port }: ManagementAddress,
): Promise<ManagementServer> {
  return serveWithin(LIMITS, handler, { host, port });
}

/** The same, within limits that a test can reach. */
export async function serveWithin(
  limits: ServerLimits,
  handler: Handler,
  { host, port }: ManagementAddress,
): Promise<ManagementServer> {
  const connections = new Connections(limits.connections, limits.lastAnswersMs);
  const answering = new Set<Promise<unknown>>();
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    (incoming, outgoing) => {
      connections.asked(incoming, outgoing);
      const done = respond(handler, incoming, outgoing)
        .catch(() => outgoing.destroy())
        .finally(() => answering.delete(done));
      answering.add(done);
    },
  );
  server.setTimeout(limits.stalledMs);
  server.on('connection', (socket: Socket) => connections.admit(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    connections.refuse(socket, STATUS_OF.get(error.code) ?? '400 Bad Request'),
  );
  await listening(server, host, port);
  const bound = server.address() as AddressInfo;
  const shown = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return { url: `http://${shown}:${bound.port}`, close: () => closed(server, answering, limits) };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'something else listens there' : cause.message;
      reject(new Error(`management cannot listen on ${host}:${port}: ${why}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

/** Whoever asked this node to leave still hears that it does. */
async function closed(
  server: Server,
  answering: ReadonlySet<Promise<unknown>>,
  { lastAnswersMs }: ServerLimits,
): Promise<void> {
  const all = new Promise<void>((resolve) => server.close(() => resolve()));
  await Promise.race([Promise.all(answering), firstValueFrom(timer(lastAnswersMs))]);
  server.closeAllConnections();
  await all;
}

/** What is not HTTP, by the code of node's error; anything else is a bad request. */
const STATUS_OF: ReadonlyMap<string | undefined, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

async function respond(
  handler: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const request = toRequest(incoming, gone.signal);
  const response =
    request === undefined
      ? problem(400, `${incoming.method} ${incoming.url} is not a request that this node can read`)
      : await handler(request);
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  // A body that was not read to its end would be taken for the next request.
  if (!incoming.complete) outgoing.setHeader('connection', 'close');
  const flushed = new Promise<void>((resolve) => outgoing.once('close', resolve));
  if (response.body === null) outgoing.end();
  else await pour(response.body, outgoing, gone.signal);
  await flushed;
}

/** Undefined when the method, the path or a header is not one that a Request can hold. */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', headers, url = '/', socket } = incoming;
  const host = headers.host ?? `localhost:${socket.localPort}`;
  const path = url.startsWith('/') ? url : url === '*' ? '/' : undefined;
  try {
    const target = path === undefined ? new URL(url) : new URL(`http://${host}${path}`);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
    return new Request(target, {
      method,
      signal,
      headers: toHeaders(incoming),
      body,
      duplex: 'half',
    });
  } catch {
    return undefined;
  }
}

function toHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

/** Writes what comes, no faster than it is taken; stops when the client has gone or the body fails. */
async function pour(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  const failed = reader.closed.catch(() => undefined);
  const left = new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve()));
  outgoing.flushHeaders();
  try {
    while (!gone.aborted) {
      const { done, value } = await Promise.race([reader.read(), left.then(() => ENDED)]);
      if (done || value === undefined) break;
      if (outgoing.write(value)) continue;
      await Promise.race([new Promise((next) => outgoing.once('drain', next)), left, failed]);
    }
    outgoing.end();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const ENDED = { done: true, value: undefined } as const;
