import { runCommandLine } from './cli/command-line.ts';
import { say } from './launcher/progress.ts';

const reportError = (line: string): void => void process.stderr.write(`${line}\n`);

process.exitCode = await runCommandLine(process.argv.slice(2), { env: process.env, say, reportError });
