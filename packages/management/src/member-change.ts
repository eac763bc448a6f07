/** What an operator may ask of a member, and how a cluster's refusal is put over HTTP. */
import { addressOf, type ClusterError, type Logger, type Member } from '@rollcall/core';
import { firstValueFrom, timer } from 'rxjs';
import { answer, problem } from './answer.js';
import type { ManagedCluster } from './managed-cluster.js';

interface Change {
  readonly cluster: ManagedCluster;
  readonly logger: Logger;
}

/** Marked down when this answers; removed when the others have agreed. */
export async function down({ cluster }: Change, { node, address }: Member): Promise<Response> {
  await cluster.down(node);
  return answer(200, { message: `Downing ${address}` });
}

/**
 * Answers when leaving has begun: it ends later, and this very node cannot answer once it has left.
 * A refusal that is known at once is still an answer.
 */
export async function leave(
  { cluster, logger }: Change,
  { node, address }: Member,
): Promise<Response> {
  const leaving = node === cluster.self.node ? cluster.leave() : cluster.leave({ node });
  leaving.catch((error: unknown) =>
    logger.warn({ err: error, node }, `${address} could not leave`),
  );
  await Promise.race([leaving, firstValueFrom(timer(0))]);
  return answer(200, { message: `Leaving ${address}` });
}

const STATUS_OF: Readonly<Record<string, number>> = {
  unknownMember: 404,
  wouldLoseQuorum: 409,
  notMember: 409,
  notUp: 409,
  stopped: 503,
};

export function changeFailed({ code, message, data }: ClusterError): Response {
  const status = STATUS_OF[code] ?? 500;
  if (code !== 'wouldLoseQuorum') return problem(status, message, { data: { code } });
  const missing = Array.isArray(data.missing) ? data.missing.map(String).map(addressOf) : [];
  return problem(status, message, { data: { code, missing, waysOut: data.waysOut ?? [] } });
}
