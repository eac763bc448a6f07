/** A small form in a request's body, read up to a limit. */
import { refuse } from './answer.js';

/** Far above any form that means something here. */
export const BODY_BYTES_MAX = 16_384;

const KINDS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** The fields; answers 415 for another content type, 413 beyond the limit, 400 for a form that cannot be read or does not come to its end. */
export async function readForm(request: Request): Promise<ReadonlyMap<string, string>> {
  const type = request.headers.get('content-type') ?? '';
  const kind = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!KINDS.includes(kind)) {
    refuse(
      415,
      `the body must be a form (${KINDS.join(' or ')}), not ${kind === '' ? 'untyped' : kind}`,
    );
  }
  const bytes = await readLimited(request);
  try {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    const fields = new Map<string, string>();
    for (const [name, value] of form) if (typeof value === 'string') fields.set(name, value);
    return fields;
  } catch {
    return refuse(400, `the body is not a readable ${kind} form`);
  }
}

async function readLimited(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of arriving(request)) {
    length += chunk.byteLength;
    if (length > BODY_BYTES_MAX) refuse(413, `the body is longer than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** That a body breaks off is the doing of the client, who has mostly gone, and no failure of this node. */
async function* arriving({ body }: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    refuse(400, 'the body broke off before its end');
  }
}
