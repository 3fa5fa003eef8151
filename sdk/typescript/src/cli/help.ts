import { formatTable, type Command, type CommandOptions } from './command.ts';
import { describeExitCodes } from './exit-codes.ts';

/** Options that every command has. */
export const COMMON_OPTIONS: CommandOptions = {
  json: { type: 'boolean', about: 'Write JSON.' },
  help: { type: 'boolean', about: 'Show this help, as -h does.' },
};

const EXIT_CODES = `Exit codes:\n${describeExitCodes()}`;

export function isHelpRequest(word: string | undefined): boolean {
  return word === '--help' || word === '-h' || word === 'help';
}

/** Returns the usage line of a command, without the options that every command has. */
export function formatUsage({ name, args, options = {} }: Command): string {
  const others = Object.entries(options).map(
    ([option, { value, multiple }]) =>
      `[${[`--${option}`, value].filter(Boolean).join(' ')}]${multiple === true ? '…' : ''}`,
  );
  return ['parley', name, args, ...others].filter(Boolean).join(' ');
}

/** Describes how to call commands, and what they do. */
export function describeCommands(list: readonly Command[]): string {
  return list.map((command) => `  ${formatUsage(command)}\n      ${describePurpose(command)}\n`).join('');
}

/** Describes a command with its options and the possible exit codes. */
export function describeCommand(command: Command): string {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS });
  const rows = options.map(([option, { value = '', about }]) => [`  --${option} ${value}`.trimEnd(), about]);
  return `${describeCommands([command])}\nOptions:\n${formatTable(rows)}\n\n${EXIT_CODES}`;
}

/** Describes commands whose names begin with the same word. */
export function describeGroup(list: readonly Command[]): string {
  const first = list[0]?.name.split(' ')[0] ?? '';
  return `${describeCommands(list)}\n  parley ${first} <command> --help lists the options.\n\n${EXIT_CODES}`;
}

export function describeAllCommands(commands: readonly Command[]): string {
  return `Parley from the command line.

${describeCommands(commands)}
  parley <command> --help lists the options of a command. --json writes JSON.
  PARLEY_URL and PARLEY_API_KEY set the URL and the key; otherwise, both come from parley login.

${EXIT_CODES}`;
}

function describePurpose({ about, alias }: Command): string {
  return alias === undefined ? about : `${about} Alias: parley ${alias}.`;
}
