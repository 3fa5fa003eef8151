import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** File in a run's folder. Each process of the run appends the cost of the test files that it ran. */
const FILE_COSTS = 'file-costs.jsonl';
const REPORTED_FILES = 15;

interface FileCost {
  file: string;
  /** CPU time of the process that ran the file, without its servers and browsers. */
  cpuSeconds: number;
  seconds: number;
}

let start: { cpu: NodeJS.CpuUsage; atMs: number } | undefined;

/** Starts to measure the test file that this process is about to run. */
export function startFileCost(): void {
  start = { cpu: process.cpuUsage(), atMs: performance.now() };
}

/**
 * Ends the measurement that `startFileCost` began.
 * @param folder folder of the run
 */
export function addFileCost(folder: string, file: string): void {
  if (!start) return;
  const { user, system } = process.cpuUsage(start.cpu);
  const cost = { file, cpuSeconds: (user + system) / 1e6, seconds: (performance.now() - start.atMs) / 1000 };
  appendFileSync(join(folder, FILE_COSTS), `${JSON.stringify(cost)}\n`);
}

/** Formats a table of the files that took most CPU time, for the end of a run. */
export function reportFileCosts(folder: string): string {
  const path = join(folder, FILE_COSTS);
  if (!existsSync(path)) return '';
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const costs = lines.map((line) => JSON.parse(line) as FileCost);
  const total = costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const slowest = costs.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, REPORTED_FILES);
  return [
    `The test files took ${total.toFixed(0)} s of CPU in their own processes. Most of it:`,
    '   CPU    time  file',
    ...slowest.map(
      ({ file, cpuSeconds, seconds }) =>
        `${cpuSeconds.toFixed(1).padStart(6)}${seconds.toFixed(1).padStart(8)}  ${file}`,
    ),
  ].join('\n');
}
