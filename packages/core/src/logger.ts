/**
 * The Logger port, the part of pino that Rollcall uses. One line per membership change with who
 * and why; nothing per heartbeat.
 */

export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** One that throws, now or later, loses its line, and not the node that had something to say. */
export function steadyLogger(logger: Logger): Logger {
  const steady =
    (level: keyof Logger) =>
    (facts: object, message: string): void => {
      try {
        const written: unknown = logger[level](facts, message);
        if (written instanceof Promise) written.catch(() => {});
      } catch {
        // There is nowhere to say it.
      }
    };
  return {
    debug: steady('debug'),
    info: steady('info'),
    warn: steady('warn'),
    error: steady('error'),
  };
}

/** For those who bring no logger. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
