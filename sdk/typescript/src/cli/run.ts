import { parseArgs } from 'node:util';
import { Caller } from '../caller.ts';
import { Parley } from '../client.ts';
import { isInterceptable } from '../base-url.ts';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  InvalidArgumentError,
  MissingCredentialError,
  NotFoundError,
  PermissionError,
  listOmittedDetails,
} from '../errors.ts';
import { SDK_VERSION } from '../generated/version.ts';
import { createUnexpectedResponseError } from '../unexpected-response.ts';
import {
  Unfinished,
  UsageError,
  formatCount,
  type Command,
  type CommandEnvironment,
  type Context,
  type Credentials,
} from './command.ts';
import { suggestApiCalls } from './api/suggest-api-calls.ts';
import { commands } from './commands.ts';
import { DEFAULT_URL, readUrlToStore, readCredentials, URL_VARIABLE } from './credentials.ts';
import { exitCodes } from './exit-codes.ts';
import {
  COMMON_OPTIONS,
  describeAllCommands,
  describeCommand,
  describeCommands,
  describeGroup,
  formatUsage,
  isHelpRequest,
} from './help.ts';
import { findNearest, suggest } from '../nearest.ts';
import { URL_SETTING, type Fetch } from '../options.ts';
import { parseCount } from './option-values.ts';
import { Output } from './output.ts';
import { oneLine } from './safe-text.ts';
import { suggestRemedy } from './suggest-remedy.ts';

const MISSING_CREDENTIALS = {
  key: 'Set PARLEY_API_KEY, or run parley login.',
  visitorToken: 'This operation is for visitors. Add --visitor-token with the visitor_token of a session.',
} as const;

/** Matches the arguments of a command that end with a text or path, which may have several words. */
const WORDS_ARGUMENT = /<(name|question|file|file\.csv|folder)>\]?$/;

/** Placeholders of options whose values are numbers. */
const NUMERIC_VALUES: ReadonlySet<string> = new Set(['<number>', '<seconds>']);

/** Minimum pause in milliseconds before a retry that the command reports to the user. */
const NOTABLE_PAUSE_MS = 1000;

/**
 * Runs one command.
 * @returns the exit code
 */
export async function runCommandLine(
  argv: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  const output = new Output(environment);
  try {
    await run(argv, environment, output);
    return exitCodes.done;
  } catch (error) {
    const message = describeCommandError(error as Error);
    if (message !== '') output.err(`${message}\n`);
    return chooseExitCode(error);
  } finally {
    output.end();
  }
}

async function run(argv: readonly string[], environment: CommandEnvironment, output: Output): Promise<void> {
  const { out, json, bytes, err, progress } = output;
  const [first = '--help', second] = argv;
  if (first === '--version') return out(`${SDK_VERSION}\n`);
  if (isHelpRequest(first)) return out(describeAllCommands(commands));
  const command = findCommand(`${first} ${second}`) ?? findCommand(first);
  if (!command) return explainGroup(first, second, output);
  const { positionals, values } = parseCommandArguments(command, argv.slice(command.name.split(' ').length));
  if (values['help'] === true) return out(describeCommand(command));
  const credentials = chooseCredentials(command, environment);
  const { baseUrl } = credentials;
  if (isInterceptable(baseUrl))
    err(
      `Warning: ${baseUrl} is not encrypted: others can read the key and all responses in transit. Use https.\n`,
    );
  const onRetry = (error: Error, ms: number) => describeRetry(error, ms, err);
  const options = { ...credentials, [URL_SETTING]: URL_VARIABLE, onRetry };
  const fetch: Fetch = (input, init) => globalThis.fetch(input, init);
  const context: Context = {
    ...environment,
    out,
    json,
    bytes,
    err,
    progress,
    credentials,
    client: new Parley(options),
    caller: new Caller({ ...credentials, urlSetting: URL_VARIABLE, onRetry, fetch }),
    isJson: values['json'] === true,
    args: positionals,
    values,
  };
  try {
    await command.run(context);
  } catch (error) {
    throw isWrongShape(error)
      ? createUnexpectedResponseError(baseUrl, URL_VARIABLE, { cause: error })
      : error;
  }
}

/**
 * Returns whether an error means that a response lacked an expected field. Errors of Node.js do not count;
 * they have codes.
 */
function isWrongShape(error: unknown): boolean {
  return (error instanceof TypeError || error instanceof RangeError) && !('code' in error);
}

/** Writes why the command waits before it repeats a request, if the pause is long. */
function describeRetry({ message }: Error, pauseMs: number, err: (text: string) => void): void {
  if (pauseMs >= NOTABLE_PAUSE_MS) err(`${oneLine(message)} Retrying in ${Math.ceil(pauseMs / 1000)} s.\n`);
}

function findCommand(words: string): Command | undefined {
  return commands.find(({ name, alias }) => name === words || alias === words);
}

function chooseCredentials({ credentials }: Command, environment: CommandEnvironment): Credentials {
  if (credentials === 'none') return { baseUrl: DEFAULT_URL, apiKey: undefined };
  if (credentials === 'entered') return { baseUrl: readUrlToStore(environment), apiKey: undefined };
  return readCredentials(environment);
}

function parseCommandArguments(command: Command, args: string[]) {
  const usage = [`Usage: ${formatUsage(command)}`, command.alternative].filter(Boolean).join('\n');
  const options = { ...command.options, ...COMMON_OPTIONS };
  let positionals: string[];
  try {
    const found = parseArgs({
      args,
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    });
    const values = found.values as Record<string, string | boolean | string[] | undefined>;
    ({ positionals } = found);
    const { length } = positionals;
    if (values['help'] === true) return { positionals, values };
    if (length >= command.argumentCount.min && length <= command.argumentCount.max) {
      checkCounts(command, values);
      return { positionals, values };
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${describeParseError(error as Error, Object.keys(options))}\n${usage}`);
  }
  throw new UsageError(`${describeCount(command, positionals.length)}\n${usage}`);
}

/** @throws UsageError if the value of a numeric option is no number, even if the command would not read it */
function checkCounts(command: Command, values: Context['values']): void {
  for (const [name, { value }] of Object.entries(command.options ?? {}))
    if (value !== undefined && NUMERIC_VALUES.has(value) && values[name] !== undefined)
      parseCount(`--${name}`, String(values[name]));
}

/** Describes how many arguments a command takes, for a user who passed a wrong number. */
function describeCount({ name, args, argumentCount: { min, max } }: Command, count: number): string {
  const range = min === max ? '' : max === Infinity ? `at least ` : `${min} to `;
  const last = max === Infinity ? min : max;
  const [, split] = (count > max && WORDS_ARGUMENT.exec(args)) || [];
  const isText = split === 'name' || split === 'question';
  const advice =
    split === undefined ? '' : ` Put a ${isText ? 'text of several words' : 'path with spaces'} in quotes.`;
  return `parley ${name} takes ${range}${formatCount(last, 'argument')}, not ${count}.${advice}`;
}

/**
 * Writes the commands whose names begin with the given word, if the user requested help for them.
 * @throws UsageError for any other value
 */
function explainGroup(first: string, second: string | undefined, { out }: Output): void {
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && isHelpRequest(second)) return out(describeGroup(group));
  const words = second === undefined ? first : `${first} ${second}`;
  const names = describeCommands(group).trimEnd();
  if (group.length > 0 && second === undefined)
    throw new UsageError(`Specify a command of parley ${first}:\n${names}`);
  const others = group.length === 0 ? 'See parley --help.' : `The commands are:\n${names}`;
  const suggestion = suggestCommands(first, second);
  const calls = suggestion === '' || group.length > 0 ? suggestApiCalls(first, second ?? 'list') : [];
  const advice = calls.length === 0 ? suggestion : ` Use ${calls.join(' or ')}.`;
  throw new UsageError(`There is no command ${words}.${advice} ${others}`);
}

/** Commands that users know from other command lines, with what does the same in this one. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  chat: 'Use parley ask.',
  logout: 'Delete ~/.config/parley/credentials.json, which parley login wrote, and revoke the key in it.',
  upload: 'Use parley knowledge add.',
  whoami: 'Use parley api getMe.',
};

function suggestCommands(first: string, second: string | undefined): string {
  if (Object.hasOwn(ELSEWHERE, first)) return ` ${ELSEWHERE[first]}`;
  const names = [...commands.map(({ name }) => name), '--help', '--version'];
  const groups = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
  const whole = second === undefined ? [] : findNearest(`${first} ${second}`, names);
  const near = whole.length > 0 ? whole : findNearest(first, groups).filter((name) => name !== first);
  // The single word `sync` stands for `parley knowledge sync`.
  const known = near.length > 0 ? near : names.filter((name) => name.split(' ')[1] === first).slice(0, 3);
  return suggest(known.map((name) => `parley ${name}`));
}

/** Describes an error of `parseArgs` about a command's options. */
function describeParseError({ message }: Error, options: readonly string[]): string {
  const [, option] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (option === undefined) return message;
  const names = options.map((name) => `--${name}`);
  return `There is no option ${option}.${suggest(findNearest(option, names))}`;
}

function describeCommandError(error: Error): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof MissingCredentialError) return MISSING_CREDENTIALS[error.credential];
  if (!(error instanceof ApiError)) return oneLine(error.message);
  const { message, code, requestId } = error;
  return [
    oneLine(`${message} (${code}${requestId === null ? '' : `, ${requestId}`})${suggestRemedy(error)}`),
    ...listOmittedDetails(error).map((detail) => `  ${oneLine(detail)}`),
  ].join('\n');
}

function chooseExitCode(error: unknown): number {
  if (error instanceof UsageError || error instanceof InvalidArgumentError) return exitCodes.usage;
  if (error instanceof Unfinished) return exitCodes[error.reason];
  if (error instanceof AuthenticationError || error instanceof PermissionError) return exitCodes.credentials;
  if (error instanceof NotFoundError) return exitCodes.notFound;
  if (error instanceof ConnectionError) return exitCodes.connection;
  if (error instanceof MissingCredentialError) return exitCodes.credentials;
  return exitCodes.refused;
}
