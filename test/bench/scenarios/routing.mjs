/** What choosing a member costs, measured beside it. */
import { lookUpCost, pickCosts, rebuildCost } from '../../../packages/routing/bench/routing.mjs';
import { figure } from '../report.mjs';

const TURNS_MAX = 10;
const LOOK_UP_MAX = 3;
const REBUILD_MAX = 0.5;
/** Less than any object: what looking at the heap adds. */
const SLACK_BYTES = 0.5;

export function routing({ quick, wants, show, step }) {
  const runs = quick ? 3 : 9;
  if (wants('pick')) {
    step('a million picks by each strategy');
    for (const { name, ns, bytes, indexNs } of pickCosts({ members: 10, runs })) {
      const most = name === 'roundRobin' ? TURNS_MAX : undefined;
      const isEmpty = bytes <= SLACK_BYTES;
      show(
        figure('pick', `${name}, ten routees`, {
          value: ns,
          unit: 'ns',
          against: 'array index',
          other: indexNs,
          reach: most === undefined ? 'no allocation' : `≤ ${most}, no allocation`,
          isMet: isEmpty && (most === undefined || ns / indexNs <= most),
          note: isEmpty ? undefined : `allocates ${bytes.toFixed(1)} bytes a pick`,
        }),
      );
    }
  }
  if (wants('owner')) {
    step('owners on rings of 10 and 1,000');
    const [few, many] = [10, 1_000].map((members) => lookUpCost({ members, runs }));
    const at = { value: many.ns, unit: 'ns' };
    const isMet = many.ns / few.ns <= LOOK_UP_MAX;
    const reach = `≤ ${LOOK_UP_MAX}`;
    show(
      figure('owner', 'of a key, 1,000 members', {
        ...at,
        against: 'ten members',
        other: few.ns,
        reach,
        isMet,
      }),
    );
    show(figure('owner', '', { ...at, against: 'a Map of the answers', other: many.mapNs }));
  }
  if (wants('rebuild')) {
    step('one change among 1,000');
    const { ms, anewMs } = rebuildCost({ members: 1_000, runs });
    const isMet = ms / anewMs <= REBUILD_MAX;
    show(
      figure('rebuild', 'one change among 1,000', {
        value: ms,
        unit: 'ms',
        against: 'the ring made anew',
        other: anewMs,
        reach: `≤ ${REBUILD_MAX}`,
        isMet,
      }),
    );
  }
}
