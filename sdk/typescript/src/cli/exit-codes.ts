/** Exit codes of the command line. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  credentials: 3,
  notFound: 4,
  connection: 5,
  late: 6,
  /** Exit code that shells report for a program that was ended by Ctrl-C. */
  interrupted: 130,
  /** Exit code that shells report for a program that was ended because no process reads its output. */
  unread: 141,
} as const;

const WORDS: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'success',
  refused: 'request rejected',
  usage: 'usage error',
  credentials: 'authentication or permission error',
  notFound: 'not found',
  connection: 'cannot connect',
  late: 'not finished within --timeout',
  interrupted: 'interrupted by Ctrl-C',
  unread: 'broken pipe',
};

/** Lists all exit codes, one a line. */
export function describeExitCodes(): string {
  return Object.entries(exitCodes)
    .map(([name, code]) => `  ${String(code).padStart(3)}  ${WORDS[name as keyof typeof exitCodes]}\n`)
    .join('');
}
