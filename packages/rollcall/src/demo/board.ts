/** The live table: a row for each place, made of what every node says about it and about itself. */
import { table } from '../cli/table.js';
import type { Place } from './place.js';
import { type Sight, uidAt, views } from './sight.js';

const HEAD = ['NODE', 'PROCESS', 'STATUS', 'SEEN BY OTHERS AS', 'PHI MAX', 'CONVERGED', 'DIGEST'];

/** `processes` has, for each place, what became of its process. */
export function board(
  sight: Sight,
  places: readonly Place[],
  processes: readonly string[],
): string {
  return table(
    HEAD,
    places.map((place, i) => row(sight, places, place, processes[i] ?? '-')),
  );
}

function row(sight: Sight, places: readonly Place[], place: Place, process: string): string[] {
  const { address } = place;
  const others = places.filter((other) => other !== place && sight.answers.has(other.address));
  const uid = uidAt(sight, place) ?? lastKnown(sight, address);
  const seen = views(sight, others, uid).flatMap((view) => (view === undefined ? [] : [view]));
  const own = sight.answers.get(address);
  const statuses = [...new Set(seen.map(({ status }) => status))];
  const phis = sight.links.filter(({ subjectUid }) => subjectUid === uid).map(({ phi }) => phi);
  return [
    address,
    process,
    statuses.join('/') || (own === undefined ? 'Removed' : own.selfStatus),
    seenAs(
      seen.map(({ reachability }) => reachability),
      others.length,
    ),
    phis.length === 0 ? '-' : phiText(Math.max(...phis), sight.threshold),
    own === undefined ? '-' : own.convergence ? 'yes' : 'no',
    own === undefined ? '-' : own.digest.slice(0, 8),
  ];
}

/** A process that does not answer any more is still known to the others by its last uid. */
function lastKnown({ answers }: Sight, address: string): string | undefined {
  for (const { members } of answers.values()) {
    const member = members.find(({ node }) => node === address);
    if (member !== undefined) return member.nodeUid;
  }
  return undefined;
}

/** The worst first: `unreachable 3 of 4`. */
function seenAs(reachabilities: readonly string[], others: number): string {
  for (const word of ['unreachable', 'suspected', 'reachable']) {
    const count = reachabilities.filter((each) => each === word).length;
    if (count > 0) return `${word} ${count} of ${others}`;
  }
  return `not a member for ${others} of ${others}`;
}

/** Far beyond the threshold a figure says nothing more. */
const phiText = (phi: number, threshold: number): string =>
  phi > threshold * 10 ? `> ${threshold * 10}` : phi.toFixed(2);
