import { rmSync } from 'node:fs';
import { makeFolder, startTemporaryParley } from '../scripts/launcher/temporary-parley.ts';
import { roundTo, type Figure } from './support/figure.ts';

const LIMIT_SECONDS = 8;

/** Measures the second start of Parley with the same data folder, until all parts are ready. */
export async function benchStart(): Promise<Figure[]> {
  const folder = makeFolder();
  const first = await startTemporaryParley({ folder });
  await first.stop();
  const startedAt = performance.now();
  const second = await startTemporaryParley({ folder });
  const seconds = (performance.now() - startedAt) / 1000;
  await second.stop();
  rmSync(folder, { recursive: true });
  return [
    {
      bench: 'start',
      figure: 'second npm start until ready',
      value: roundTo(seconds),
      unit: 's',
      target: `≤ ${LIMIT_SECONDS} s`,
      ok: seconds <= LIMIT_SECONDS,
    },
  ];
}
