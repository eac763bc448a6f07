/** What management answers with: JSON always, also when something is wrong. */

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

export function answer(
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Response {
  return new Response(`${JSON.stringify(body)}\n`, { status, headers: { ...HEADERS, ...headers } });
}

/** Something is wrong with the request or the cluster; `message` is one sentence for a person. */
export function problem(
  status: number,
  message: string,
  more: { readonly headers?: Record<string, string>; readonly data?: object } = {},
): Response {
  return answer(status, { message, ...more.data }, more.headers);
}

/** Thrown inside a route to answer at once. */
export class Refused extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super(`refused with ${response.status}`);
    this.response = response;
  }
}

export function refuse(...args: Parameters<typeof problem>): never {
  throw new Refused(problem(...args));
}
