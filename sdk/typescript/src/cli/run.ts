import { parseArgs } from 'node:util';
import { Caller } from '../caller.ts';
import { Parley } from '../client.ts';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  ParleyError,
  PermissionError,
} from '../errors.ts';
import { SDK_VERSION } from '../generated/version.ts';
import { Unfinished, UsageError, type Command, type Surroundings } from './command.ts';
import { commands } from './commands.ts';
import { completion } from './completion.ts';
import { readCredentials } from './credentials.ts';
import { asksForHelp, help, helpOf } from './help.ts';

/** What the command line ends with. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  credentials: 3,
  notFound: 4,
  connection: 5,
  late: 6,
  /** As shells say it of a program that Ctrl-C has ended. */
  interrupted: 130,
  /** The same of one that writes to nobody. */
  unread: 141,
} as const;

/** Runs one command; returns the exit code. */
export async function runCommandLine(argv: readonly string[], around: Surroundings): Promise<number> {
  try {
    await run(argv, around);
    return exitCodes.done;
  } catch (error) {
    const message = error instanceof ApiError ? told(error) : (error as Error).message;
    if (message !== '') around.err(`${message}\n`);
    return exitCodeOf(error);
  }
}

async function run(argv: readonly string[], around: Surroundings): Promise<void> {
  const [first = '--help', second] = argv;
  if (first === '--version') return around.out(`${SDK_VERSION}\n`);
  if (asksForHelp(first)) return around.out(help());
  if (first === 'completion') return around.out(asksForHelp(second) ? help() : completion(second));
  const command =
    commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first);
  if (!command) return explainGroup(first, second, around);
  const { positionals, values } = parsed(command, argv.slice(command.name.split(' ').length));
  if (values['help'] === true) return around.out(helpOf([command]));
  const { baseUrl, apiKey } =
    command.name === 'login' ? { baseUrl: '', apiKey: undefined } : readCredentials(around);
  const settings = { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey };
  await command.run({
    ...around,
    client: new Parley(settings),
    caller: new Caller({ ...settings, fetch: (input, init) => globalThis.fetch(input, init) }),
    isJson: values['json'] === true,
    args: positionals,
    values,
  });
}

function parsed({ name, args, options, takes }: Command, rest: string[]) {
  const usage = `Usage: parley ${name} ${args}`.trimEnd();
  try {
    const found = parseArgs({
      args: rest,
      allowPositionals: true,
      options: { ...options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    const values = found.values as Record<string, string | boolean | string[] | undefined>;
    const count = found.positionals.length;
    if (values['help'] === true || (count >= takes.least && count <= takes.most))
      return { positionals: found.positionals, values };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
  throw new UsageError(usage);
}

/** @throws UsageError unless what the words have in common is asked for */
function explainGroup(first: string, second: string | undefined, { out }: Surroundings): void {
  const group = helpOf(commands.filter(({ name }) => name.startsWith(`${first} `)));
  if (group !== '' && asksForHelp(second)) return out(group);
  const words = second === undefined ? first : `${first} ${second}`;
  const others = group === '' ? 'see parley --help.' : `there are\n${group.trimEnd()}`;
  throw new UsageError(`There is no command ${words}; ${others}`);
}

function told({ message, code, details, requestId }: ApiError): string {
  const fields = details.map((detail) => `\n  ${detail.field}: ${detail.message}`);
  return `${message} (${code}${requestId === null ? '' : `, ${requestId}`})${fields.join('')}`;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof Unfinished) return exitCodes[error.reason];
  if (error instanceof AuthenticationError || error instanceof PermissionError) return exitCodes.credentials;
  if (error instanceof NotFoundError) return exitCodes.notFound;
  if (error instanceof ConnectionError) return exitCodes.connection;
  // What the SDK would not send at all.
  return error instanceof ParleyError && /credentials|visitors/.test(error.message)
    ? exitCodes.credentials
    : exitCodes.refused;
}
