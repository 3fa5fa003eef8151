import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the file in a test run's folder to which each process appends the cost of the test files that it ran. */
const FILE_COSTS = 'file-costs.jsonl';
const REPORTED_FILES = 15;
/** Clock ticks per second, the unit of CPU time in `/proc` on all usual Linux systems. */
const TICKS_PER_SECOND = 100;

interface FileCost {
  file: string;
  /** CPU time of the process that ran the test file, without the servers that all files share. */
  cpuSeconds: number;
  /** CPU time of programs that the test file started and that have ended, such as browsers. */
  programSeconds: number;
  seconds: number;
}

let start: { cpu: NodeJS.CpuUsage; programSeconds: number; atMs: number } | undefined;

/** Starts to measure the test file that this process is about to run. */
export function startFileCost(): void {
  start = { cpu: process.cpuUsage(), programSeconds: readProgramSeconds(), atMs: performance.now() };
}

/**
 * Ends the measurement that `startFileCost` began, and appends the cost to a file.
 * @param folder folder of the run
 */
export function addFileCost(folder: string, file: string): void {
  if (!start) return;
  const { user, system } = process.cpuUsage(start.cpu);
  const cost: FileCost = {
    file,
    cpuSeconds: (user + system) / 1e6,
    programSeconds: readProgramSeconds() - start.programSeconds,
    seconds: (performance.now() - start.atMs) / 1000,
  };
  appendFileSync(join(folder, FILE_COSTS), `${JSON.stringify(cost)}\n`);
}

/** Formats a table of the files that took the most CPU time, for the end of a run. */
export function reportFileCosts(folder: string): string {
  const path = join(folder, FILE_COSTS);
  if (!existsSync(path)) return '';
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const costs = lines.map((line) => JSON.parse(line) as FileCost);
  const [own, programs] = [sum(costs, 'cpuSeconds'), sum(costs, 'programSeconds')];
  const slowest = costs.toSorted((a, b) => getCpuSeconds(b) - getCpuSeconds(a)).slice(0, REPORTED_FILES);
  return [
    `The test files took ${own.toFixed(0)} s of CPU in their own processes, and ${programs.toFixed(0)} s in programs that they started. Most of it:`,
    '   CPU programs    time  file',
    ...slowest.map(({ file, cpuSeconds, programSeconds, seconds }) => {
      const columns = [cpuSeconds.toFixed(1).padStart(6), programSeconds.toFixed(1).padStart(9)];
      return `${columns.join('')}${seconds.toFixed(1).padStart(8)}  ${file}`;
    }),
  ].join('\n');
}

function getCpuSeconds({ cpuSeconds, programSeconds }: FileCost): number {
  return cpuSeconds + programSeconds;
}

function sum(costs: readonly FileCost[], column: 'cpuSeconds' | 'programSeconds'): number {
  return costs.reduce((total, cost) => total + cost[column], 0);
}

/** Returns the CPU time of this process's programs that have ended, in seconds; 0 on systems without `/proc`. */
function readProgramSeconds(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  // The name of the process, in parentheses, may contain spaces. Fields 16 and 17 follow it (proc_pid_stat(5)).
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}
