/** The simulator, which is no dependency of the command: it is there in development and loaded on demand. */

export async function loadSimulator() {
  try {
    return await import('@rollcall/simulator');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' && message.includes('@rollcall/simulator');
    if (!isMissing) throw cause;
    const how = 'install it beside rollcall: npm install --save-dev @rollcall/simulator';
    throw new Error(
      `this command needs the package @rollcall/simulator, which is not here; ${how}`,
    );
  }
}

export type Simulator = Awaited<ReturnType<typeof loadSimulator>>;
export type Plan = ReturnType<Simulator['planOf']>;
export type Reduction = ReturnType<Simulator['readReplay']>['reduction'];
export type Survival = Awaited<ReturnType<Simulator['survive']>>;
export type Verdict = Survival['verdict'];
export type Failed = Exclude<Verdict, { readonly kind: 'settled' }>;
export type StudyTask = Parameters<Simulator['performTask']>[0];
export type StudyResult = Awaited<ReturnType<Simulator['performTask']>>;
export type Study = ReturnType<Simulator['studyNamed']>;
