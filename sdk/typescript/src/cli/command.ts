import type { ParseArgsConfig } from 'node:util';
import type { Caller } from '../caller.ts';
import type { Parley } from '../client.ts';
import type { Output, Streams } from './output.ts';
import { oneLine } from './safe-text.ts';

/** What the command line finds around it. */
export interface Surroundings extends Streams {
  env: Readonly<Record<string, string | undefined>>;
  /** The folder of whoever calls, for the file with the key. */
  home: string;
  /** Everything that is piped in. */
  input(): Promise<string>;
  /** The lines of the same, as they come. */
  lines(): AsyncIterable<string>;
  /** Whether stdout is a terminal. */
  isOutTerminal?: boolean;
  /** From now on Ctrl-C ends nothing by itself, but aborts this; a second one ends the program. */
  onInterrupt(): AbortSignal;
}

/** Where Parley is, and the key of that server. */
export interface Credentials {
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string | undefined;
}

type OutputFunctions = Pick<Output, 'out' | 'json' | 'bytes' | 'err' | 'progress'>;

export interface Context extends Omit<Surroundings, keyof Streams>, OutputFunctions {
  /** Whether stderr is a terminal. */
  isTerminal: boolean;
  credentials: Credentials;
  client: Parley;
  /** Calls of any operation. */
  caller: Caller;
  /** Whether what is written is read by a program. */
  isJson: boolean;
  args: readonly string[];
  values: Readonly<Record<string, string | boolean | string[] | undefined>>;
}

export interface Command {
  /** The words that call it: `bots list`. */
  name: string;
  /** What follows them: `<bot_id>`. */
  args: string;
  about: string;
  options?: NonNullable<ParseArgsConfig['options']>;
  /** How many arguments it takes. */
  takes: { least: number; most: number };
  run(context: Context): Promise<void>;
}

/** The command was called in a way that it does not know. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** It did not work, as what was written may have said already. */
export class Unsuccessful extends Error {
  override name = 'Unsuccessful';
}

/** What was begun goes on without the command. */
export class Unfinished extends Error {
  override name = 'Unfinished';

  constructor(
    message: string,
    readonly reason: 'late' | 'interrupted',
  ) {
    super(message);
  }
}

/** Writes rows for people, or as JSON. */
export function show(
  { isJson, json, out }: Pick<Context, 'isJson' | 'json' | 'out'>,
  data: unknown,
  text: () => string,
): void {
  if (isJson) json(data);
  else out(`${text()}\n`);
}

/** Columns of equal width, each row on one line. */
export function table(content: readonly (readonly string[])[]): string {
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
