/** SIGTERM and SIGINT from the first moment of a process: loading a command takes longer than sending them. */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

const early: string[] = [];
const keep = (signal: string): void => {
  early.push(signal);
};

/** From now on signals end nothing: they are kept for who hears them next. */
export function keepSignals(): void {
  for (const signal of SIGNALS) process.on(signal, keep);
}

/** What was kept is heard first. Ends with the returned function. */
export function hearSignals(run: (signal: string) => void): () => void {
  for (const signal of SIGNALS) {
    process.on(signal, run);
    process.off(signal, keep);
  }
  for (const signal of early.splice(0)) run(signal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, run);
  };
}
