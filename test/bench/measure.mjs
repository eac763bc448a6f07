/** What several measurements share: medians, CPU time, memory after a sweep. */

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

export const sum = (values) => values.reduce((total, value) => total + value, 0);
export const mean = (values) => sum(values) / values.length;

/** Seconds of CPU that this process spends in `work`: others on the machine count for little. */
export async function cpuSeconds(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Bytes that this process holds once what is garbage is gone. */
export function heldBytes() {
  for (let sweep = 0; sweep < 3; sweep++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
