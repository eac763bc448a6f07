/** What a replicated state costs, measured beside it. */
import { stateCosts } from '../../../packages/convergence/bench/merge.mjs';
import { figure } from '../report.mjs';

export function states({ show, step }) {
  step('states of 1,000 members');
  for (const { row, what, ns, against, otherNs, most } of stateCosts()) {
    const isMet = most === undefined ? undefined : ns / otherNs <= most;
    const reach = most === undefined ? undefined : `≤ ${most}`;
    show(figure(row, what, { value: ns, unit: 'ns', against, other: otherNs, reach, isMet }));
  }
}
