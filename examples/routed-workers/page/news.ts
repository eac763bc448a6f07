/** What the example tells its page, an object a message. All times are of one clock that never goes back. */

/** So much of the past is kept, at both ends. */
export const KEPT_MS = 60_000;

/** In the order in which they happen to a worker that is killed. */
export const MARK_KINDS = ['killed', 'avoided', 'unreachable', 'removed', 'back'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** Something that happened to a worker. */
export interface Mark {
  readonly atMs: number;
  readonly kind: MarkKind;
  readonly worker: string;
  /** Since it was killed, if it was. */
  readonly afterMs?: number;
}

/** Asks answered per second by each worker, since the sample before. */
export interface Sample {
  readonly atMs: number;
  readonly answered: readonly number[];
}

export interface WorkerNow {
  readonly name: string;
  readonly pid: number | undefined;
  /** What happened to it last; undefined or `back`: it answers. */
  readonly last: MarkKind | undefined;
}

export interface Count {
  readonly asked: number;
  readonly failed: number;
  /** Why the last one that failed did. */
  readonly why?: string;
}

export interface Today {
  readonly workers: readonly WorkerNow[];
  /** One at a time: not while another is being replaced. */
  readonly mayKill: boolean;
  readonly withRetries: Count;
  readonly without: Count;
}

export type News =
  /** First of all, and again whenever the page has connected anew. */
  | {
      readonly type: 'now';
      readonly samples: readonly Sample[];
      readonly marks: readonly Mark[];
      readonly today: Today;
    }
  | { readonly type: 'sample'; readonly sample: Sample; readonly today: Today }
  | { readonly type: 'mark'; readonly mark: Mark; readonly today: Today }
  | { readonly type: 'end' };

export const answers = ({ last }: WorkerNow): boolean => last === undefined || last === 'back';
