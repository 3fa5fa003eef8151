import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { projectRoot } from '../scripts/launcher/project-root.ts';
import { findPythonForSdk, withSdkInPlace } from '../test/support/python-sdk.ts';
import { median, roundTo, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';

const RATIO_TARGET = 1.15;
const IMPORT_TARGET_MS = 150;

/** Times in seconds. */
interface SdkTimes {
  rounds: { bare: number; sdk: number }[];
  import: { wall: number; cpu: number };
}

/**
 * Compares getBot through the Python SDK with the bare HTTP client httpx, one call after the other, in turn.
 * Measures also the time to import the SDK in a new Python process.
 */
export async function benchSdkPython(installation: Installation): Promise<Figure[]> {
  const { apiUrl, apiKey } = installation;
  const python = findPythonForSdk();
  if (python === undefined) throw new Error('There is no Python with httpx, and none could be made.');
  const { id } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const script = fileURLToPath(new URL('bench/sdk_python.py', projectRoot()));
  // Lets Python keep compiled modules, as for an installed package.
  const env = { ...withSdkInPlace, PYTHONDONTWRITEBYTECODE: '' };
  const { stdout } = await promisify(execFile)(python, [script, apiUrl, apiKey, id], { env });
  return toSdkFigures(JSON.parse(stdout) as SdkTimes);
}

function toSdkFigures({ rounds, import: imported }: SdkTimes): Figure[] {
  const bench = 'sdk/python';
  const ms = (seconds: number) => roundTo(seconds * 1000, 3);
  const ratio = roundTo(median(rounds.map(({ bare, sdk }) => sdk / bare)), 3);
  const importMs = roundTo(imported.wall * 1000, 0);
  return [
    {
      bench,
      figure: 'a call by the Python SDK',
      value: ms(median(rounds.map(({ sdk }) => sdk))),
      unit: 'ms',
      baseline: ms(median(rounds.map(({ bare }) => bare))),
    },
    {
      bench,
      figure: 'ratio to httpx',
      value: ratio,
      unit: '×',
      target: `≤ ${RATIO_TARGET}`,
      ok: ratio <= RATIO_TARGET,
    },
    {
      bench,
      figure: 'import',
      value: importMs,
      unit: 'ms',
      target: `≤ ${IMPORT_TARGET_MS} ms`,
      note: `${roundTo(imported.cpu * 1000, 0)} ms of CPU`,
      ok: importMs <= IMPORT_TARGET_MS,
    },
  ];
}
