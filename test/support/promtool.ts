import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cachePath } from './make-once.ts';

/** Path of promtool, Prometheus' checker, which `.ci/run` copies from Debian's package `prometheus`. */
const binary = cachePath('bin/promtool');

/** Registers a test that runs Prometheus' promtool. Without promtool the test is skipped, and the title says so. */
export function itWithPromtool(title: string, test: () => Promise<void> | void): void {
  if (existsSync(binary)) it(title, test);
  else it.skip(`${title}: skipped without a promtool at ${binary}`, test);
}

/** Runs promtool. Returns everything that it prints if it fails or warns, otherwise an empty text. */
export function findComplaints(args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(binary, args, { input, encoding: 'utf8' });
  return status === 0 && stderr === '' ? '' : `${stdout}${stderr}`;
}
