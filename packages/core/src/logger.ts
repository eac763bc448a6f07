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

/** For those who bring no logger. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
