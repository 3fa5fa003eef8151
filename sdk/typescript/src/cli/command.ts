import type { Caller } from '../caller.ts';
import type { Parley } from '../client.ts';
import type { Output, Streams } from './output.ts';
import { oneLine } from './safe-text.ts';

/** The environment in which the command line runs: terminal, files, variables and machine. */
export interface CommandEnvironment extends Streams {
  env: Readonly<Record<string, string | undefined>>;
  /** Home directory of the user, below which the file with the API key is stored. */
  home: string;
  /** Reads stdin completely. */
  input(): Promise<string>;
  /** Reads stdin line by line. */
  lines(): AsyncIterable<string>;
  /**
   * Reads a line that the user types, such as an API key, without showing it; undefined if stdin is not a
   * terminal.
   */
  readHiddenLine?: (() => Promise<string>) | undefined;
  /** Name of the machine on which the command line runs. */
  machine: string;
  /** Opens a page in the person's browser; undefined if no person uses the terminal. */
  openBrowser?: ((url: string) => void) | undefined;
  /** Whether stdout is a terminal. */
  isOutTerminal?: boolean;
  /** Makes the first Ctrl-C abort the returned signal instead of ending the program. */
  onInterrupt(): AbortSignal;
}

/** The URL of a Parley server and the API key for it. */
export interface Credentials {
  /** URL of the server without a trailing slash. */
  baseUrl: string;
  apiKey: string | undefined;
}

type OutputFunctions = Pick<Output, 'out' | 'json' | 'bytes' | 'err' | 'progress'>;

export interface Context extends Omit<CommandEnvironment, keyof Streams>, OutputFunctions {
  /** Whether stderr is a terminal. */
  isTerminal: boolean;
  credentials: Credentials;
  client: Parley;
  /** Calls any operation. */
  caller: Caller;
  /** Whether the command writes its result as JSON for programs. */
  isJson: boolean;
  args: readonly string[];
  values: Readonly<Record<string, string | boolean | string[] | undefined>>;
}

/** An option of a command, as `parseArgs` reads the option, and its description. */
export interface CommandOption {
  type: 'string' | 'boolean';
  /** Placeholder of the option's value: `<title>`. */
  value?: string;
  multiple?: boolean;
  default?: string;
  about: string;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

export interface Command {
  /** Words that call the command: `bots list`. */
  name: string;
  /** Another name that calls the command. */
  alias?: string;
  /** Placeholders of the command's arguments: `<bot_id>`. */
  args: string;
  /** Advice about another command, for a user who passes a wrong number of arguments or an unknown option. */
  alternative?: string;
  about: string;
  options?: CommandOptions;
  /** Minimum and maximum number of the command's arguments. */
  argumentCount: { min: number; max: number };
  /** Credentials that the command needs, if it does not use the stored credentials. */
  credentials?: 'none' | 'entered';
  run(context: Context): Promise<void>;
}

/** Error for an invalid command line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Error for a command that failed. An empty message means that the command's output explains why. */
export class Unsuccessful extends Error {
  override name = 'Unsuccessful';
}

/** Error for a command that stopped waiting, while the server continues the work. */
export class Unfinished extends Error {
  override name = 'Unfinished';

  constructor(
    message: string,
    readonly reason: 'late' | 'interrupted',
  ) {
    super(message);
  }
}

/** Formats a number with its noun: `2 pages`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Writes the result of a command as JSON or as text for people. */
export function writeResult(
  { isJson, json, out }: Pick<Context, 'isJson' | 'json' | 'out'>,
  data: unknown,
  text: () => string,
): void {
  if (isJson) json(data);
  else out(`${text()}\n`);
}

/** Aligns the cells of a table in columns, one row on a line. */
export function formatTable(content: readonly (readonly string[])[]): string {
  const rows = content.map((row) => row.map(oneLine));
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
