/** Files that a flag names: never read without end, and never read as something they are not. */
import { closeSync, openSync, readSync } from 'node:fs';
import { unusable } from './exit-code.js';

const SECRET_BYTES = 4 * 1_024;
const TEXT_BYTES = 1_024 * 1_024;

/**
 * A secret is one line; the line break that editors leave is no part of it. Bytes that are no text
 * would all be read as the same sign, and different secrets as one: they are refused.
 */
export function readSecret(flag: string, file: string): string {
  const bytes = readBytes(flag, file, SECRET_BYTES, INSTEAD);
  const secret = decode(bytes)?.trim();
  if (secret === undefined) throw unusable(flag, `${flag} ${file} is not text in UTF-8${INSTEAD}`);
  if (secret === '') throw unusable(flag, `${flag} ${file} is empty${INSTEAD}`);
  return secret;
}

const INSTEAD =
  ': a secret is a line of text, such as `openssl rand -hex 32` writes; ' +
  '`base64` makes text of what is there';

/** Text in UTF-8, without the mark that some editors put before it. */
export function readText(flag: string, file: string, most = TEXT_BYTES): string {
  const text = decode(readBytes(flag, file, most));
  if (text !== undefined) return text;
  throw unusable(flag, `${flag} ${file} is not text in UTF-8: save it as that`);
}

/** What stands around the certificates of a PEM file may be in any encoding. */
export const readPem = (flag: string, file: string): string =>
  new TextDecoder().decode(readBytes(flag, file, TEXT_BYTES));

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readBytes(flag: string, file: string, most: number, instead = ''): Uint8Array {
  const bytes = readAtMost(flag, file, most + 1);
  if (bytes.length <= most) return bytes;
  throw unusable(flag, `${flag} ${file} is larger than ${most / 1_024} KiB${instead}`);
}

function readAtMost(flag: string, file: string, most: number): Uint8Array {
  try {
    const bytes = new Uint8Array(most);
    const from = openSync(file, 'r');
    try {
      let length = 0;
      while (length < most) {
        const count = readSync(from, bytes, length, most - length, null);
        if (count === 0) break;
        length += count;
      }
      return bytes.subarray(0, length);
    } finally {
      closeSync(from);
    }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw unusable(flag, `${flag} ${file} cannot be read: ${why}`, cause);
  }
}
