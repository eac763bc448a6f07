/**
 * Who breaks a tie under lease-majority (PROTOCOL "Downing"). The lease is asked about one
 * configuration, as a set of unique addresses, and what it answers it answers for ever. So "who
 * breaks the tie of X" is a function of X, as "the lowest address of X" is, only that not everybody
 * knows its value; and who does not know it does not win. Two halves of one X never both do.
 *
 * The grantee writes what it was granted into its own row, which nobody else writes; it travels and
 * merges as rows do. Leaving it out is always safe: it can be asked for again.
 */
import { type Digest, Fingerprint } from './fingerprint.js';
import type { Member } from './member.js';

/** A configuration as a name for the lease to remember: a sum over its keys, in no order. */
export const configurationId = (config: readonly Member[]): Digest =>
  config.reduce(
    (sum, { key }) => sum.plus(Fingerprint.of(JSON.stringify(['voter', key]))),
    Fingerprint.zero,
  ).digest;

/** Whether one of those who stay was granted this configuration. */
export function isGranted(config: readonly Member[], stays: (member: Member) => boolean): boolean {
  const holders = config.filter((member) => member.row.leases?.length && stays(member));
  if (holders.length === 0) return false;
  const id = configurationId(config);
  return holders.some(({ row }) => row.leases?.includes(id));
}
