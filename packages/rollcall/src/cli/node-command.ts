/** `rollcall node`: one node until it is told to go, and the number that says how it went. */
import {
  type Cluster,
  ClusterError,
  type Ending,
  type Logger,
  type Refusal,
  silentLogger,
} from '@rollcall/core';
import {
  type Handler,
  type ManagementServer,
  management,
  serveManagement,
} from '@rollcall/management';
import { checkOptions, checkSettings } from '../node-options.js';
import { EXIT, type ExitCode, exitCodeOf, exitCodeOfError } from './exit-code.js';
import {
  type ManagementArguments,
  type NodeFlags,
  readGivenSettings,
  readManagement,
  readNodeOptions,
} from './node-arguments.js';
import { printSettings } from './print-settings.js';
import type { World } from './world.js';

export async function nodeCommand(flags: NodeFlags, world: World): Promise<ExitCode> {
  // Before anything else: who is told to go while it starts has to go as well.
  const signals = new Signals(world);
  try {
    return await runNode(flags, world, signals);
  } finally {
    signals.forget();
  }
}

async function runNode(flags: NodeFlags, world: World, signals: Signals): Promise<ExitCode> {
  if (flags.printSettings === true) {
    world.out(printSettings(checkSettings(readGivenSettings(flags))));
    return EXIT.done;
  }
  const options = readNodeOptions(flags);
  // Whatever cannot be used is said before anything is opened.
  checkOptions(options);
  const managed = readManagement(flags);
  const logger = await world.createLogger(flags.logLevel);
  signals.logTo(logger);
  const door = new ManagementDoor(logger);
  try {
    const url = managed === undefined ? undefined : await door.open(managed);
    if (signals.hasCome) return toldTooEarly(logger);
    const cluster = await world.startNode({ ...options, logger: withoutEnd(logger) });
    const { address, uid } = cluster.self;
    const facts = { event: 'listening', node: address, uid, name: cluster.name, management: url };
    logger.info(
      facts,
      `listening as ${address}${url === undefined ? '' : `, management at ${url}`}`,
    );
    door.lead(cluster);
    signals.lead(cluster);
    return await run(cluster, logger);
  } catch (error) {
    const exitCode = exitCodeOfError(error);
    // What the world can do is told by its sentence; only a bug is told by its stack.
    const what =
      error instanceof ClusterError ? { code: error.code, ...error.data } : { err: error };
    const facts = { event: 'notStarted', exitCode, ...what };
    logger.error(facts, `not started: ${(error as Error).message}`);
    return exitCode;
  } finally {
    await door.close();
  }
}

/** How a run ended is told once, by the last line, which has the exit code. */
function withoutEnd(logger: Logger): Logger {
  const unlessEnd =
    (level: keyof Logger): Logger['info'] =>
    (facts, message) => {
      if ((facts as { readonly event?: string }).event !== 'selfRemoved')
        logger[level](facts, message);
    };
  return {
    debug: unlessEnd('debug'),
    info: unlessEnd('info'),
    warn: unlessEnd('warn'),
    error: unlessEnd('error'),
  };
}

function toldTooEarly(logger: Logger): ExitCode {
  const facts = { event: 'ended', reason: 'left', exitCode: EXIT.done };
  logger.info(facts, 'told to go before the node had started');
  return EXIT.done;
}

/** Until the run ends; its reason is the last line of the log. */
async function run(cluster: Cluster, logger: Logger): Promise<ExitCode> {
  const refusals: Refusal[] = [];
  let tried: readonly string[] = [];
  cluster.events$.subscribe((event) => {
    if (event.type === 'joinRefused') refusals.push(event.refusal);
    if (event.type === 'joinStalled') tried = event.tried;
  });
  cluster.up().catch(() => undefined);
  const ending: Ending = await cluster.ended;
  const exitCode = exitCodeOf(ending);
  const facts = { event: 'ended', reason: ending.reason, exitCode };
  if (exitCode === EXIT.done) logger.info(facts, ending.message);
  else
    logger.error(
      exitCode === EXIT.notJoined ? { ...facts, refusals, tried } : facts,
      ending.message,
    );
  return exitCode;
}

/** Management is there before the node is: `/startup` has something to say from the first moment. */
class ManagementDoor {
  readonly #logger: Logger;
  #server: ManagementServer | undefined;
  #arguments: ManagementArguments | undefined;
  #handler: Handler = async () =>
    Response.json(
      { ok: false, status: 'Joining', reasons: ['this node is starting'] },
      { status: 503 },
    );

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  async open(managed: ManagementArguments): Promise<string> {
    this.#arguments = managed;
    this.#server = await serveManagement((request) => this.#handler(request), managed.at);
    return this.#server.url;
  }

  lead(cluster: Cluster): void {
    if (this.#arguments === undefined) return;
    const { access } = this.#arguments;
    this.#handler = management(cluster, { access, logger: this.#logger });
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}

/** The first signal asks the node to leave, the second ends the process at once. */
class Signals {
  readonly forget: () => void;
  readonly #world: World;
  #logger: Logger = silentLogger;
  #cluster: Cluster | undefined;
  #count = 0;

  constructor(world: World) {
    this.#world = world;
    this.forget = world.onSignal((signal) => this.#hear(signal));
  }

  get hasCome(): boolean {
    return this.#count > 0;
  }

  logTo(logger: Logger): void {
    this.#logger = logger;
  }

  /** A signal may have come before there was anybody to leave. */
  lead(cluster: Cluster): void {
    this.#cluster = cluster;
    if (this.hasCome) void this.#leave();
  }

  #hear(signal: string): void {
    this.#count += 1;
    if (this.#count > 1) {
      const facts = { event: 'signal', signal, exitCode: EXIT.other };
      this.#logger.error(facts, 'told to go twice: gone at once');
      this.#world.exit(EXIT.other);
      return;
    }
    const facts = { event: 'signal', signal };
    this.#logger.info(facts, `${signal}: leaving; once more ends it at once`);
    void this.#leave();
  }

  /** How it ended is told by `ended`, also when leaving failed. */
  async #leave(): Promise<void> {
    await this.#cluster?.leave().catch(() => undefined);
  }
}
