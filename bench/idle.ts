import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findParentPid, type ProcessIdentity } from '../scripts/launcher/process-identity.ts';
import { startTemporaryParley } from '../scripts/launcher/temporary-parley.ts';
import { roundTo, type Figure } from './support/figure.ts';
import { measureUsageByPart, type Part } from './support/processes.ts';

/** Time in milliseconds for a started Parley to become idle. */
const QUIET_MS = 60_000;
const MEASURED_MS = 60_000;
const MAX_MEGABYTES = 450;
const MAX_PERCENT = 1;

/** Measures the memory and CPU time of all processes of a newly started, unused Parley. */
export async function benchIdle(): Promise<Figure[]> {
  const { folder, stop } = await startTemporaryParley();
  try {
    const [guard] = JSON.parse(readFileSync(join(folder, 'run/api.json'), 'utf8')) as ProcessIdentity[];
    const launcher = findParentPid(guard!.pid)!;
    await sleep(QUIET_MS);
    const before = measureUsageByPart(folder, launcher);
    await sleep(MEASURED_MS);
    const after = measureUsageByPart(folder, launcher);
    const parts = [...after].map(([part, { cpuMs, pssMegabytes }]) => ({
      part,
      pssMegabytes,
      percent: ((cpuMs - before.get(part)!.cpuMs) / MEASURED_MS) * 100,
    }));
    return toIdleFigures(parts);
  } finally {
    await stop();
  }
}

function toIdleFigures(parts: { part: Part; pssMegabytes: number; percent: number }[]): Figure[] {
  const megabytes = parts.reduce((sum, { pssMegabytes }) => sum + pssMegabytes, 0);
  const percent = parts.reduce((sum, part) => sum + part.percent, 0);
  return [
    {
      ...buildIdleFigure('PSS of all processes', megabytes, 'MB'),
      target: `≤ ${MAX_MEGABYTES} MB`,
      ok: megabytes <= MAX_MEGABYTES,
    },
    ...parts.map(({ part, pssMegabytes }) => buildIdleFigure(`PSS, ${part}`, pssMegabytes, 'MB')),
    {
      ...buildIdleFigure('CPU of all processes', percent, '%'),
      target: `≤ ${MAX_PERCENT} %`,
      ok: percent <= MAX_PERCENT,
    },
    ...parts.map((each) => buildIdleFigure(`CPU, ${each.part}`, each.percent, '%')),
  ];
}

function buildIdleFigure(name: string, value: number, unit: string): Figure {
  return { bench: 'idle', figure: name, value: roundTo(value), unit };
}
