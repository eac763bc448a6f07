/** A fresh build before the first test that sees packages as their users do. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export default function build(): void {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const tsc = 'node_modules/typescript/bin/tsc';
  // No error is thrown: one here would keep vitest from running the tests of what does compile.
  spawnSync(process.execPath, [tsc, '-b', 'tsconfig.build.json'], { cwd, stdio: 'inherit' });
}
