/** The routes of management as a command sees them: an answer, or one sentence that says what is wrong. */
import type { BlockersAnswer, EventAnswer, LinksAnswer, MembersAnswer } from '@rollcall/management';
import { unusable } from './exit-code.js';

/** How long a node may take to answer. */
const ANSWER_MS = 10_000;

/** Nobody answers, or no as an answer. */
export class ManagementError extends Error {
  override readonly name = 'ManagementError';
}

export interface Answer<T> {
  /** As it came, for `--json`. */
  readonly text: string;
  readonly value: T;
}

export interface SentEvent {
  readonly type: string;
  /** As it came. */
  readonly text: string;
  readonly value: EventAnswer;
}

export class ManagementClient {
  readonly url: string;
  readonly #fetch: typeof fetch;
  readonly #token: string | undefined;

  /** `url` may leave `http://` out. Throws when it is none. */
  constructor(url: string, fetcher: typeof fetch, token?: string) {
    this.url = readUrl(url);
    this.#fetch = fetcher;
    this.#token = token;
  }

  members = (): Promise<Answer<MembersAnswer>> => this.#ask('/cluster/members');
  blockers = (): Promise<Answer<BlockersAnswer>> => this.#ask('/cluster/blockers');
  /** With so many of the longest gaps of each link; without any unless asked for. */
  links = (gaps?: number): Promise<Answer<LinksAnswer>> =>
    this.#ask(`/cluster/links${gaps === undefined ? '' : `?gaps=${gaps}`}`);

  leave(node: string): Promise<Answer<{ readonly message: string }>> {
    return this.#ask(memberPath(node), { method: 'DELETE' });
  }

  down(node: string): Promise<Answer<{ readonly message: string }>> {
    const body = new URLSearchParams({ operation: 'Down' });
    return this.#ask(memberPath(node), { method: 'PUT', body });
  }

  /** Each event as it is sent, until the stream or the signal ends. */
  async *events(signal: AbortSignal): AsyncGenerator<SentEvent> {
    const response = await this.#request('/cluster/domain-events', { signal });
    let pending = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      const blocks = (pending + decoder.decode(bytes, { stream: true })).split('\n\n');
      pending = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, type = '', text = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (text !== '') yield { type, text, value: JSON.parse(text) as EventAnswer };
      }
    }
  }

  async #ask<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
    const response = await this.#request(path, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
    const text = await response.text();
    return { text, value: this.#parse<T>(text) };
  }

  async #request(path: string, init: RequestInit): Promise<Response> {
    const headers = this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
    let response: Response;
    try {
      response = await this.#fetch(`${this.url}${path}`, { ...init, headers });
    } catch (cause) {
      throw new ManagementError(`nobody answers at ${this.url}: ${whyNot(cause)}`, { cause });
    }
    if (response.ok) return response;
    const { message } = this.#parse<Complaint>(await response.text());
    throw new ManagementError(`${this.url} answers ${response.status}: ${message}`);
  }

  #parse<T>(text: string): T {
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw new ManagementError(`what answers at ${this.url} is not a Rollcall node`, { cause });
    }
  }
}

interface Complaint {
  readonly message: string;
}

const memberPath = (node: string): string => `/cluster/members/${encodeURIComponent(node)}`;

/** Without user and password: they are no use to a node, and what is shown is often kept. */
function readUrl(text: string): string {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  const given = scheme === undefined ? `http://${text}` : text;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const shown = text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/i, '$1');
    const takes = '--management takes an http:// or https:// URL such as http://127.0.0.1:8355';
    throw unusable('--management', `${takes}, not '${shown}'`);
  }
  url.username = '';
  url.password = '';
  return url.href.replace(/\/+$/, '');
}

const NO_TLS = 'what is there does not speak TLS; does http:// reach it?';

/** By what fetch's complaint is known: a code, a name or, where there is neither, its words. */
const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection broke',
  ENOTFOUND: 'there is no such host',
  EHOSTUNREACH: 'the machine cannot be reached',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  TimeoutError: `no answer within ${ANSWER_MS / 1_000} s`,
  'bad port':
    'HTTP clients never use this port, which belongs to another protocol; give the node another --management port',
};

function whyNot(error: unknown): string {
  const { name, message, cause } = error as Error;
  const { code = '', message: why = '', reason } = (cause ?? {}) as TlsError;
  // OpenSSL's own message has several lines and its source files in it.
  const tls = reason === undefined ? undefined : `TLS fails: ${reason}`;
  return WHY[code] ?? WHY[why] ?? tls ?? WHY[name] ?? (why || code || message);
}

interface TlsError extends NodeJS.ErrnoException {
  readonly reason?: string;
}
