import { DESCRIPTION, PARTS } from '../test/bots/generation-support.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';
import { median, percentile, roundTo, type Figure } from './support/figure.ts';
import { startPeer } from './support/peer.ts';

const WARM_UP = 5;
const GENERATIONS = 60;
/** Number of times that the bench restores a bot version. Lower than the number of versions that Parley keeps. */
const RESTORES = 150;
const MAX_P95_MS = { described: 700, withSite: 2000, restored: 20 };
/**
 * Measures generateBot, with and without a website of five pages, and restoreBotVersion. The stand-in for a
 * language model answers at once.
 */
export async function benchGeneration(): Promise<Figure[]> {
  const model = await startPeer('model-process.ts', {}, [JSON.stringify(PARTS)]);
  const site = await startPeer('site-process.ts');
  const installation = await startInstallation({
    PARLEY_MODEL_BASE_URL: model.line,
    generationsPerHour: 0,
  });
  try {
    return [
      await measureGeneration(
        installation,
        {},
        { figure: 'generateBot by an instant model', maxMs: MAX_P95_MS.described },
      ),
      await measureGeneration(
        installation,
        { website_url: site.line, import_website: false },
        { figure: 'the same, from five local pages', maxMs: MAX_P95_MS.withSite },
      ),
      await measureRestores(installation),
    ];
  } finally {
    await installation.stop();
    site.stop();
    model.stop();
  }
}

async function measureGeneration(
  installation: Installation,
  fields: object,
  bound: { figure: string; maxMs: number },
): Promise<Figure> {
  const times = await measureRuns(GENERATIONS, async () => {
    const { blueprint } = await call<{ blueprint: { name: string } }>(
      installation,
      'POST',
      '/api/bots/generate',
      {
        description: DESCRIPTION,
        ...fields,
      },
    );
    if (blueprint.name !== PARTS.name) throw new Error(`The model's draft was not used: ${blueprint.name}`);
  });
  return toGenerationFigure(times, bound);
}

/** Restores two versions of a bot with different texts in turn. */
async function measureRestores(installation: Installation): Promise<Figure> {
  const bot = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const path = `/api/bots/${bot.id}`;
  await call(installation, 'POST', `${path}/versions`, {});
  await call(installation, 'PATCH', path, { system_prompt: 'You help.\n'.repeat(400) });
  await call(installation, 'POST', `${path}/versions`, {});
  let isFirst = false;
  const times = await measureRuns(RESTORES, async () => {
    isFirst = !isFirst;
    await call(installation, 'POST', `${path}/versions/${isFirst ? 1 : 2}/restore`);
  });
  return toGenerationFigure(times, { figure: 'restoreBotVersion', maxMs: MAX_P95_MS.restored });
}

async function measureRuns(runs: number, act: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < WARM_UP + runs; run += 1) {
    const startedAt = performance.now();
    await act();
    times.push(performance.now() - startedAt);
  }
  return times.slice(WARM_UP);
}

function toGenerationFigure(times: number[], { figure, maxMs }: { figure: string; maxMs: number }): Figure {
  const p95 = percentile(times, 0.95);
  return {
    bench: 'generation',
    figure: `${figure}, p95`,
    value: roundTo(p95),
    unit: 'ms',
    target: `≤ ${maxMs} ms`,
    note: `p50: ${roundTo(median(times))} ms`,
    ok: p95 <= maxMs,
  };
}
