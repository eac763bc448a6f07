/** A heartbeat through the whole stack, measured beside the transport. */
import { heartbeatRates } from '../../../packages/transport-websocket/bench/heartbeat.mjs';
import { figure } from '../report.mjs';

const RATIO_MIN = 0.6;

export async function heartbeat({ quick, show, step }) {
  const effort = quick ? { frames: 5_000, repetitions: 5 } : { frames: 20_000, repetitions: 9 };
  for (const window of [1, 64]) {
    step(`${window} under way`);
    const { size, raw, transport, stack } = await heartbeatRates({ window, ...effort });
    const peer = { against: 'raw ws', other: raw };
    show(
      figure('heartbeat', `${size} bytes, ${window} under way, stack`, {
        value: stack,
        unit: '/s of CPU',
        ...peer,
        reach: `≥ ${RATIO_MIN}`,
        isMet: stack / raw >= RATIO_MIN,
      }),
    );
    show(
      figure('heartbeat', `${size} bytes, ${window} under way, transport alone`, {
        value: transport,
        unit: '/s of CPU',
        ...peer,
      }),
    );
  }
}
