/** Exit codes of the command line. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  credentials: 3,
  notFound: 4,
  connection: 5,
  late: 6,
  /** Code of shells for a program that Ctrl-C ended. */
  interrupted: 130,
  /** Code of shells for a program whose output has no reader. */
  unread: 141,
} as const;

const WORDS: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  refused: 'refused',
  usage: 'wrong usage',
  credentials: 'no key or too few rights',
  notFound: 'not found',
  connection: 'no connection',
  late: 'not done within --timeout',
  interrupted: 'interrupted by Ctrl-C',
  unread: 'output not read',
};

/** Lists all exit codes, one a line. */
export function describeExitCodes(): string {
  return Object.entries(exitCodes)
    .map(([name, code]) => `  ${String(code).padStart(3)}  ${WORDS[name as keyof typeof exitCodes]}\n`)
    .join('');
}
