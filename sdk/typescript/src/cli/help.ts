import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { describeExitCodes } from './exit-codes.ts';

export function isHelpRequest(word: string | undefined): boolean {
  return word === '--help' || word === '-h' || word === 'help';
}

/** Describes how to call commands, and what they do. */
export function describeCommands(list: readonly Command[]): string {
  return list
    .map(({ name, args, about }) => `  parley ${name} ${args}`.trimEnd() + `\n      ${about}\n`)
    .join('');
}

export function describeAllCommands(): string {
  return `Parley from the command line.

${describeCommands(commands)}  parley completion bash | zsh
      A script that completes commands: source <(parley completion bash)

  --json writes JSON. PARLEY_URL and PARLEY_API_KEY are the URL and the key, or both come from parley login.

Exit codes:
${describeExitCodes()}`;
}
