/** The routes of management as a command sees them: an answer, or one sentence that says what is wrong. */
import type { BlockersAnswer, EventAnswer, MembersAnswer } from '@rollcall/management';
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

function readUrl(text: string): string {
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(url)) return new URL(url).href.replace(/\/+$/, '');
  throw unusable(
    '--management',
    `--management takes a URL such as http://127.0.0.1:8355, not '${text}'`,
  );
}

const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection broke',
  ENOTFOUND: 'there is no such host',
  EHOSTUNREACH: 'the machine cannot be reached',
  TimeoutError: `no answer within ${ANSWER_MS / 1_000} s`,
};

function whyNot(error: unknown): string {
  const { name, message, cause } = error as Error;
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  return WHY[code] ?? WHY[name] ?? (cause instanceof Error ? cause.message || code : message);
}
