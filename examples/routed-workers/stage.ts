/** What both ways to run the example have: the node that asks, its workers, and its two routers. */
import type { Router } from '@rollcall/routing';
import type { Cluster } from 'rollcall';
import { filter, firstValueFrom, type Observable, timeout } from 'rxjs';
import type { Crew } from './crew.js';

/** Two asks at a time, this often, by each router. */
export const TICK_MS = 10;

export interface Stage {
  readonly cluster: Cluster;
  readonly crew: Crew;
  /** Asks again elsewhere. */
  readonly careful: Router;
  /** Does not. */
  readonly plain: Router;
}

export function seen<T>(
  what: string,
  stream: Observable<T>,
  holds: (value: T) => boolean,
): Promise<T> {
  const late = () => {
    throw new Error(`not seen within 20 s: ${what}`);
  };
  return firstValueFrom(stream.pipe(filter(holds), timeout({ first: 20_000, with: late })));
}
