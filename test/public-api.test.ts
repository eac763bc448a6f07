/**
 * The public names of each package, with their declared types, against a list someone signed. A
 * difference is a decision about versions: look at it, then sign it with `npx vitest run -u
 * test/public-api.test.ts`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { afterAll, expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../packages', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'rollcall-api-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function extract(folder: string): string {
  const projectFolder = join(packages, folder);
  const entry = join(projectFolder, 'dist/index.d.ts');
  const silent = { default: { logLevel: ExtractorLogLevel.None } };
  const { succeeded } = Extractor.invoke(
    ExtractorConfig.prepare({
      configObjectFullPath: undefined,
      packageJsonFullPath: join(projectFolder, 'package.json'),
      configObject: {
        projectFolder,
        mainEntryPointFilePath: entry,
        newlineKind: 'lf',
        compiler: {
          overrideTsconfig: {
            compilerOptions: {
              module: 'nodenext',
              lib: ['ES2023'],
              types: ['node'],
              skipLibCheck: true,
            },
            files: [entry],
          },
        },
        apiReport: {
          enabled: true,
          includeForgottenExports: true,
          reportFolder: scratch,
          reportTempFolder: scratch,
          reportFileName: folder,
        },
        docModel: { enabled: false },
        dtsRollup: { enabled: false },
        tsdocMetadata: { enabled: false },
        messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
      },
    }),
    // Extractor asks to have every message handled, or prints it.
    {
      localBuild: true,
      messageCallback: (message) => {
        message.handled = true;
      },
    },
  );
  expect(succeeded, `${folder} can be read`).toBe(true);
  const report = readFileSync(join(scratch, `${folder}.api.md`), 'utf8');
  return declarations(report);
}

/** Comments are left out: a sentence that is written better is no change of the surface. */
function declarations(report: string): string {
  const code = /```ts\n(.*)\n```/s.exec(report)?.[1];
  if (!code?.includes('export')) throw new Error(`the report lists no exports:\n${report}`);
  return `${code
    .replace(/^[ \t]*\/\/.*\n/gm, '')
    .replace(/ *\/\/ \(undocumented\)$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

test.each(readdirSync(packages))('%s exports what was signed', async (folder) => {
  await expect(extract(folder)).toMatchFileSnapshot(`public-api/${folder}.txt`);
});
