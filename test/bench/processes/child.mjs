/**
 * The child's end of a measured process: answers questions by name, tells what happened and when, and
 * goes when its parent is gone.
 */
process.on('disconnect', () => process.exit(1));

/** The same clock in every process of this machine. */
export const wallMs = () => performance.timeOrigin + performance.now();

/** A parent that has gone meanwhile is no error. */
const send = (message) => process.send?.(message, () => {});

export const tell = (what, facts = {}) => send({ what, atMs: wallMs(), ...facts });

/** What every process can say of itself: CPU so far in microseconds, resident bytes. */
const vitals = () => {
  const { user, system } = process.cpuUsage();
  return { cpuUs: user + system, residentBytes: process.memoryUsage.rss() };
};

/** Each question has a number and gets one answer. */
export function answer(questions) {
  const all = { vitals, ...questions };
  process.on('message', async ({ id, question, facts }) => {
    send({ id, answer: (await all[question](facts)) ?? {} });
  });
}
