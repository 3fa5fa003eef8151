import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../../scripts/cli/command-line.ts';
import { createTestDatabase, readTestTemporalAddress, type TestDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

export const CLI = fileURLToPath(new URL('../../dist/scripts/cli.js', import.meta.url));

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Prepares a database and a data folder for the commands that the tests in this suite run. */
export function useCommandLine() {
  const home = makeTemporaryFolder();
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });

  after(async () => {
    await database.drop();
    rmSync(home, { recursive: true, force: true });
  });

  const environment = (env: Record<string, string>) => ({ ...process.env, PARLEY_HOME: home, ...env });

  /** Runs a `parley` command in this process, since starting a process takes half a second. */
  async function parley(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
    const said = { stdout: '', stderr: '' };
    const code = await runCommandLine(args, {
      env: environment(env),
      report: (line) => void (said.stdout += `${line}\n`),
      reportError: (line) => void (said.stderr += `${line}\n`),
    });
    return { code, ...said };
  }

  function parleyProcess(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
    return new Promise((resolve) => {
      execFile(process.execPath, [CLI, ...args], { env: environment(env) }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  }

  const servers = () => ({ DATABASE_URL: database.url, TEMPORAL_ADDRESS: readTestTemporalAddress() });

  return { home, parley, parleyProcess, servers, databaseUrl: () => database.url };
}
