/**
 * Management is a function from Request to Response: the route table and nothing else. The server
 * (`serve.ts`), the `rollcall` command and the demo are its clients. It never throws: whatever is
 * wrong is an answer, in JSON, with one sentence in `message`.
 */
import { ClusterError, type Logger, silentLogger, steadyLogger } from '@rollcall/core';
import { type Access, checkHost, checkWrite } from './access.js';
import { answer, problem, Refused, refuse } from './answer.js';
import { blockersAnswer, findMember, memberAnswer, membersAnswer } from './cluster-view.js';
import { type EventStreamLimits, EventStreams } from './event-stream.js';
import { eventNames, eventTypes } from './event-view.js';
import { readForm } from './form.js';
import { alive, ready, startup } from './health.js';
import { linksAnswer } from './link-answer.js';
import type { ManagedCluster } from './managed-cluster.js';
import { changeFailed, down, leave } from './member-change.js';

export interface ManagementOptions {
  /** Loopback and read-only unless told otherwise. */
  readonly access?: Access;
  readonly logger?: Logger;
  readonly eventStreams?: EventStreamLimits;
}

export type Handler = (request: Request) => Promise<Response>;

interface Call {
  readonly request: Request;
  readonly url: URL;
  readonly cluster: ManagedCluster;
  readonly access: Access;
  readonly events: EventStreams;
  readonly logger: Logger;
}

type Route = (call: Call, address: string) => Response | Promise<Response>;
type Routes = Readonly<Record<string, Readonly<Record<string, Route>>>>;

/** `*` stands for the rest of the path, an address. HEAD is GET without its body. */
const ROUTES: Routes = {
  '/cluster/members': { GET: ({ cluster }) => answer(200, membersAnswer(cluster)) },
  '/cluster/members/*': {
    GET: ({ cluster }, address) =>
      answer(200, memberAnswer(known(cluster, address), cluster.state)),
    PUT: change,
    DELETE: (call, address) => {
      writable(call);
      return leave(call, known(call.cluster, address));
    },
  },
  '/cluster/blockers': { GET: ({ cluster }) => answer(200, blockersAnswer(cluster)) },
  '/cluster/links': {
    GET: ({ cluster, url }) => answer(200, linksAnswer(cluster, url.searchParams.get('gaps'))),
  },
  '/cluster/domain-events': { GET: subscribe },
  '/alive': { GET: ({ cluster }) => alive(cluster) },
  '/ready': { GET: ({ cluster }) => ready(cluster) },
  '/startup': { GET: ({ cluster }) => startup(cluster) },
};

const READS = 'GET, HEAD, OPTIONS';

export function management(cluster: ManagedCluster, options: ManagementOptions = {}): Handler {
  const access = options.access ?? { write: false, loopback: true };
  const logger = steadyLogger(options.logger ?? silentLogger);
  const events = new EventStreams(cluster, options.eventStreams);
  return async (request) => {
    try {
      const url = new URL(request.url);
      checkHost(url, access);
      return await route({ request, url, cluster, access, events, logger });
    } catch (error) {
      if (error instanceof Refused) return error.response;
      if (error instanceof ClusterError) return changeFailed(error);
      logger.error({ err: error, url: request.url }, 'management could not answer');
      return problem(500, 'this node could not answer; its log has the reason');
    }
  };
}

async function route(call: Call): Promise<Response> {
  const { request, url } = call;
  const { path, address } = split(url.pathname);
  const methods = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  if (methods === undefined) {
    const routes = Object.keys(ROUTES);
    const message = `there is nothing at ${url.pathname}; there is ${routes.join(', ')}`;
    return problem(404, message, { data: { routes } });
  }
  const allow = [...Object.keys(methods), 'HEAD', 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  const isHead = request.method === 'HEAD';
  const method = isHead ? 'GET' : request.method;
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (run === undefined) return notAllowed(call, path, allow);
  if (isHead && path === '/cluster/domain-events')
    return problem(405, 'events have no HEAD', { headers: { allow: 'GET' } });
  const response = await run(call, address);
  return isHead ? new Response(null, response) : response;
}

function notAllowed({ request }: Call, path: string, allow: string): Response {
  const { method } = request;
  const isMembers = path === '/cluster/members';
  const message =
    isMembers && method === 'POST'
      ? 'a node joins by its own seeds: start it with --seed and the address of a member'
      : isMembers && Object.hasOwn(ROUTES[ONE_MEMBER] ?? {}, method)
        ? NO_ADDRESS
        : `${method} means nothing here; this takes ${allow}`;
  return problem(405, message, { headers: { allow } });
}

const ONE_MEMBER = '/cluster/members/*';

const NO_ADDRESS =
  'the address of the member is missing: it ends the path, as in /cluster/members/10.0.0.5:7355';

/** The row of the table and, for a member, its decoded address. One slash at the end does not count. */
function split(pathname: string): { path: string; address: string } {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
  const [, encoded] = /^\/cluster\/members\/(.+)$/.exec(path) ?? [];
  if (encoded === undefined) return { path, address: '' };
  try {
    return { path: ONE_MEMBER, address: decodeURIComponent(encoded) };
  } catch {
    return refuse(400, `the address in ${pathname} is not percent-encoded correctly`);
  }
}

function known(cluster: ManagedCluster, address: string) {
  if (address.trim() === '') refuse(400, NO_ADDRESS);
  const member = findMember(cluster.state.members, address);
  return member ?? refuse(404, `no member is known here as ${address}`);
}

const writable = ({ request, url, access }: Call): void => checkWrite(request, url, access, READS);

async function change(call: Call, address: string): Promise<Response> {
  writable(call);
  const member = known(call.cluster, address);
  const operation = (await readForm(call.request)).get('operation');
  if (operation === undefined)
    return problem(400, 'the form has no field operation: Down or Leave');
  if (/^down$/i.test(operation)) return down(call, member);
  if (/^leave$/i.test(operation)) return leave(call, member);
  return problem(400, `operation is Down or Leave, not '${operation}'`);
}

function subscribe({ url, events }: Call): Response {
  const types = eventTypes(url.searchParams.getAll('type'));
  if (typeof types === 'string') {
    const known = eventNames();
    const named = `types are ${known.types.join(', ')}; groups of them are ${known.groups.join(', ')}`;
    return problem(400, `there is no event type '${types}': ${named}`, { data: known });
  }
  if (events.isFull) {
    // Kept open, the connections of those that were refused would take the places of others.
    return problem(503, 'too many subscribers to events here', {
      headers: { 'retry-after': '10', connection: 'close' },
    });
  }
  return new Response(events.open(types), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
  });
}
