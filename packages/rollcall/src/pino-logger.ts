/** Logs as pino's JSON lines on stderr; on a terminal, for people. stdout is for answers. */
import type { Logger } from '@rollcall/core';
import { type DestinationStream, pino } from 'pino';

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Written at once: the last line of a process that ends is the one that matters most. */
export function createLogger(level: LogLevel, destination: DestinationStream = stderr()): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, destination);
}

/** For a terminal; what makes it pretty is not loaded elsewhere. */
export async function createPrettyLogger(level: LogLevel): Promise<Logger> {
  const { PinoPretty } = await import('pino-pretty');
  const isColoured = process.env.NO_COLOR === undefined;
  const stream = PinoPretty({
    destination: 2,
    sync: true,
    colorize: isColoured,
    translateTime: 'SYS:HH:MM:ss.l',
    // The sentence says it all; `--log-level debug` or a pipe shows the facts.
    hideObject: level !== 'debug',
  });
  return createLogger(level, stream);
}

const stderr = (): DestinationStream => pino.destination({ dest: 2, sync: true });
