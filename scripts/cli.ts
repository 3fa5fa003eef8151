import { runCommandLine } from './cli/command-line.ts';
import { say as report } from './launcher/progress.ts';

/** Exit code of the command line if no process reads its output any more, as shells report for an ended program. */
const UNREAD = 141;

/** Exit the command line quietly when the reader of its output has closed the pipe, as `head` does. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(UNREAD);
});

const reportError = (line: string): void => void process.stderr.write(`${line}\n`);

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  report,
  reportError,
});
