/** What a subscriber to `messages$` gets: one message of another member, or of this node itself. */
import type { NodeKey } from '@rollcall/convergence';

export interface Told {
  readonly kind: 'tell';
  readonly from: NodeKey;
  readonly body: unknown;
}

export interface Asked {
  readonly kind: 'ask';
  readonly from: NodeKey;
  readonly body: unknown;
  /**
   * Answers; the first answer counts, whoever gives it. Resolves once it is handed to the socket, and
   * rejects as `tell` does. An ask that nobody answers times out at the one who asked.
   */
  reply(body: unknown): Promise<void>;
  /** Answers with an error: its name, message and code arrive as `ClusterError` `askFailed`. */
  fail(error: unknown): Promise<void>;
  /**
   * Answers that it was not begun here and may be asked elsewhere: nobody is free, say. Arrives as `fail` does, with `data.isRefused`,
   * and a router with retries takes it to another member.
   */
  refuse(error: unknown): Promise<void>;
}

export type IncomingMessage = Told | Asked;
