/**
 * A transcript: a title, a few lines on why it matters, then commands, one a line, each with what it
 * printed indented below it. Playing it gives the same text with what is printed today.
 */
import { basename } from 'node:path';
import { type Action, COMMANDS } from './commands.testing.js';
import { Stage } from './stage.testing.js';

const INDENT = '    ';

interface Step {
  readonly line: number;
  readonly text: string;
  readonly act: Action;
}

/** A remark or an empty line, as it stands; or a step. */
type Part = string | Step;

/** The text as it would have to be; throws an Error with file, line and the way out. */
export async function play(path: string, text: string): Promise<string> {
  const stage = new Stage();
  const printed: string[] = [];
  for (const part of readTranscript(path, text)) {
    if (typeof part === 'string') printed.push(part);
    else
      printed.push(part.text, ...(await perform(part, stage, path)).map((line) => INDENT + line));
  }
  return `${printed.join('\n').trimEnd()}\n`;
}

async function perform({ line, text, act }: Step, stage: Stage, path: string) {
  try {
    return await act(stage);
  } catch (error) {
    throw new Error(`${path}:${line}: '${text}': ${messageOf(error)}`, { cause: error });
  }
}

/** What was printed before is left out. */
function readTranscript(path: string, text: string): readonly Part[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  checkHead(path, lines);
  const known = new Set<string>();
  const parts: Part[] = [];
  for (const [index, line] of lines.entries()) {
    if (/^\s/.test(line)) checkPrinted(`${path}:${index + 1}`, parts);
    else if (line === '' || line.startsWith('#')) parts.push(line);
    else parts.push(readStep(path, index + 1, line, known));
  }
  return parts;
}

/** A title that is the name of the file, and something about it. */
function checkHead(path: string, [title = '', about = '']: readonly string[]): void {
  if (!/^# \S/.test(title) || !/^# \S/.test(about)) {
    throw new Error(
      `${path}:1: begin with '# Title', and below it say in a line or three, each after '# ', why it matters`,
    );
  }
  const name = `${title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')}.txt`;
  if (basename(path) !== name) throw new Error(`${path}:1: with this title the file is ${name}`);
}

function checkPrinted(where: string, parts: readonly Part[]): void {
  if (typeof parts.at(-1) !== 'object') {
    throw new Error(
      `${where}: what is indented was printed by the command right above it, and there is none`,
    );
  }
}

function readStep(path: string, line: number, text: string, known: Set<string>): Step {
  const [name = '', ...words] = text.split(/\s+/);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const where = `${path}:${line}: '${text}'`;
  if (command === undefined) {
    const all = Object.keys(COMMANDS).join(', ');
    throw new Error(`${where}: there is no command '${name}'; there are ${all}`);
  }
  try {
    return { line, text, act: command.read(words, known) };
  } catch (error) {
    throw new Error(`${where}: ${messageOf(error)}; write ${command.usage}`, { cause: error });
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
