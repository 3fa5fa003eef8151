import { runCommandLine } from './cli/command-line.ts';
import { say as report } from './launcher/progress.ts';

/** Exit code that shells report for a program that was ended because no process reads its output. */
const UNREAD = 141;

/** Exit quietly when the reader of stdout has closed the pipe, as `head` does. */
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
