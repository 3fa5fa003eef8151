import type { Caller } from '../caller.ts';
import type { Parley } from '../client.ts';
import type { Output, Streams } from './output.ts';
import { oneLine } from './safe-text.ts';

/** The environment of the command line. */
export interface CommandEnvironment extends Streams {
  env: Readonly<Record<string, string | undefined>>;
  /** Home directory, below which the file with the key is stored. */
  home: string;
  /** Reads stdin completely. */
  input(): Promise<string>;
  /** Reads stdin line by line. */
  lines(): AsyncIterable<string>;
  /** Reads a line that the user types, without showing it; undefined if stdin is not a terminal. */
  readHiddenLine?: (() => Promise<string>) | undefined;
  /** Name of this machine. */
  machine: string;
  /** Opens a page in the person's browser; undefined if no person uses the terminal. */
  openBrowser?: ((url: string) => void) | undefined;
  /** Whether stdout is a terminal. */
  isOutTerminal?: boolean;
  /** Makes the first Ctrl-C abort the returned signal instead of ending the program. */
  onInterrupt(): AbortSignal;
}

/** A server and its key. */
export interface Credentials {
  /** URL without a trailing slash. */
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
  /** Whether to write JSON for programs. */
  isJson: boolean;
  args: readonly string[];
  values: Readonly<Record<string, string | boolean | string[] | undefined>>;
}

/** An option, as `parseArgs` reads it, and its description. */
export interface CommandOption {
  type: 'string' | 'boolean';
  /** Placeholder of the value: `<title>`. */
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
  /** Placeholders of the arguments: `<bot_id>`. */
  args: string;
  /** Advice about another command, for a wrong number of arguments or an unknown option. */
  alternative?: string;
  about: string;
  options?: CommandOptions;
  /** Limits of the number of arguments. */
  argumentCount: { min: number; max: number };
  /** Credentials that the command needs, if it does not use the stored credentials. */
  credentials?: 'none' | 'entered';
  run(context: Context): Promise<void>;
}

/** The command line is invalid. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command failed. An empty message means that its output explains why. */
export class Unsuccessful extends Error {
  override name = 'Unsuccessful';
}

/** The command stopped waiting; the server continues. */
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

/** Writes data as JSON or as text for people. */
export function writeResult(
  { isJson, json, out }: Pick<Context, 'isJson' | 'json' | 'out'>,
  data: unknown,
  text: () => string,
): void {
  if (isJson) json(data);
  else out(`${text()}\n`);
}

/** Aligns cells in columns, one row on a line. */
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
