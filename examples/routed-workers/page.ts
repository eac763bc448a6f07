/**
 * The page's server: static files, what happens as server-sent events, and one thing that can be done. It listens at
 * 127.0.0.1 alone, and answers no page but its own: what it does is to kill processes.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Observable } from 'rxjs';
import type { News } from './page/news.js';

const HOST = '127.0.0.1';
const USUAL_PORT = 7380;
/** A browser that does not read is disconnected; it connects anew, and is told all that is known. */
const UNREAD_BYTES_MAX = 1_000_000;
const CONNECTIONS_MAX = 64;
const LAST_ANSWERS_MS = 500;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { resolve } = createRequire(import.meta.url);

const [HTML, CSS, JS] = ['text/html', 'text/css', 'text/javascript'];
const FILES: Readonly<Record<string, readonly [type: string | undefined, file: string]>> = {
  '/': [HTML, here('../page/page.html')],
  '/page.css': [CSS, here('../page/page.css')],
  '/page/show.js': [JS, here('page/show.js')],
  '/page/chart.js': [JS, here('page/chart.js')],
  '/page/news.js': [JS, here('page/news.js')],
  '/page/words.js': [JS, here('page/words.js')],
  '/uplot.js': [JS, resolve('uplot/dist/uPlot.esm.js')],
  '/uplot.css': [CSS, resolve('uplot/dist/uPlot.min.css')],
};

/** What there is to be shown and done. */
export interface Show {
  readonly news$: Observable<News>;
  /** Undefined: not now. */
  kill(): string | undefined;
}

/** The port that `--page [port]` asks for; undefined without it. Arguments that cannot be used end the program. */
export function pagePort(args: readonly string[]): number | undefined {
  const [flag, text = `${USUAL_PORT}`, ...more] = args.flatMap((arg) =>
    arg.startsWith('--page=') ? ['--page', arg.slice('--page='.length)] : [arg],
  );
  if (flag === undefined) return undefined;
  const usage = `There is --page [port], a port from 0 to 65535: ${USUAL_PORT} unless given, 0 for any that is free.`;
  if (flag !== '--page') refuse(`${flag} is not an argument of this example. ${usage}`);
  if (more.length > 0) refuse(`--page takes one port, and then came ${more[0]}. ${usage}`);
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    refuse(`--page ${text}: that is no port. ${usage}`);
  return Number(text);
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}

/** Listens, before anything else is begun. A port that cannot be had ends the program. */
export async function openPage(port: number): Promise<Page> {
  const page = new Page();
  await page.listen(port).catch(({ code, message }: NodeJS.ErrnoException) => {
    const why = code === 'EADDRINUSE' ? 'something else listens there' : message;
    refuse(`--page ${port}: no page at ${HOST}:${port}, ${why}. Take another port, or --page 0.`);
  });
  return page;
}

export class Page {
  #show: Show | undefined;
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });

  listen(port: number): Promise<void> {
    this.#server.maxConnections = CONNECTIONS_MAX;
    return new Promise((listening, failed) => {
      this.#server.once('error', failed);
      this.#server.listen(port, HOST, listening);
    });
  }

  get #authority(): string {
    return `${HOST}:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.#authority}/`;
  }

  show(show: Show): void {
    this.#show = show;
  }

  /** What is under way is still answered, unless its browser does not read it. */
  async close(): Promise<void> {
    const late = setTimeout(() => this.#server.closeAllConnections(), LAST_ANSWERS_MS);
    await new Promise((closed) => this.#server.close(closed));
    clearTimeout(late);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const isOurs = [undefined, `http://${this.#authority}`].includes(headers.origin);
    if (headers.host !== this.#authority || !isOurs)
      return say(response, 403, `This page is at ${this.url} alone.`);
    const file = FILES[url];
    if (['GET', 'HEAD'].includes(method) && file !== undefined) {
      const [type, path] = file;
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...FRESH });
      response.end(await readFile(path));
    } else if (this.#show === undefined) say(response, 503, 'The workers are starting.');
    else if (method === 'GET' && url === '/events') stream(this.#show.news$, response);
    else if (method === 'POST' && url === '/kill') {
      const name = this.#show.kill();
      if (name === undefined)
        say(response, 409, 'A worker is being replaced; wait until all answer.');
      else say(response, 200, `${name} is killed.`);
    } else say(response, 404, 'There are GET /, GET /events and POST /kill.');
  }
}

/** The port may be that of another program the next time. */
const FRESH = { 'cache-control': 'no-store' } as const;

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...FRESH });
  response.end(`${text}\n`);
}

function stream(news$: Observable<News>, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close', ...FRESH });
  const subscription = news$.subscribe({
    next: (news) => {
      response.write(`data: ${JSON.stringify(news)}\n\n`);
      if (response.writableLength > UNREAD_BYTES_MAX) response.destroy();
    },
    complete: () => response.end(),
  });
  response.once('close', () => subscription.unsubscribe());
}
