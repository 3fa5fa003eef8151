import { setTimeout as delay } from 'node:timers/promises';
import { roundTo, type Figure } from './support/figure.ts';
import { call, readWorkerPeakMegabytes, type Installation } from './support/installation.ts';
import { buildTextPdf } from './support/pdf.ts';
import { buildProse } from './support/prose.ts';

const PDF_PAGES = 200;
const LIMIT_SECONDS = 5;
const MEMORY_LIMIT_MB = 450;

/** Measures the time from the request to add a document until the document is searchable. */
export async function benchIngestion(installation: Installation): Promise<Figure[]> {
  const bot = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const knowledge = `/api/bots/${bot.id}/knowledge`;
  const text = buildProse(2_000_000);
  const textSeconds = await measureIndexing(installation, knowledge, () =>
    call<{ id: string }>(installation, 'POST', knowledge, {
      source_type: 'raw_text',
      raw_text: text,
      title: 'Prose',
    }),
  );
  const pdfSeconds = await measureIndexing(installation, knowledge, () => uploadPdf(installation, knowledge));
  const peak = readWorkerPeakMegabytes(installation);
  return [
    buildIngestionFigure('2,000,000 characters of raw_text until indexed', textSeconds, 's', LIMIT_SECONDS),
    buildIngestionFigure('a 200-page PDF until indexed', pdfSeconds, 's', LIMIT_SECONDS),
    ...(peak === null ? [] : [buildIngestionFigure('worker’s peak RSS', peak, 'MB', MEMORY_LIMIT_MB)]),
  ];
}

function buildIngestionFigure(name: string, value: number, unit: string, limit: number): Figure {
  return {
    bench: 'ingestion',
    figure: name,
    value: roundTo(value),
    unit,
    target: `≤ ${limit} ${unit}`,
    ok: value <= limit,
  };
}

async function uploadPdf({ apiUrl, apiKey }: Installation, knowledge: string): Promise<{ id: string }> {
  const form = new FormData();
  form.set('file', new Blob([buildTextPdf(PDF_PAGES)]), 'manual.pdf');
  const response = await fetch(`${apiUrl}${knowledge}/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: form,
  });
  return (await response.json()) as { id: string };
}

async function measureIndexing(
  installation: Installation,
  knowledge: string,
  create: () => Promise<{ id: string }>,
): Promise<number> {
  const startedAt = performance.now();
  const { id } = await create();
  for (;;) {
    const { status, error_message: reason } = await call<{ status: string; error_message: string | null }>(
      installation,
      'GET',
      `${knowledge}/${id}/status`,
    );
    if (status === 'indexed') return (performance.now() - startedAt) / 1000;
    if (status === 'failed') throw new Error(`The document failed: ${reason}`);
    await delay(20);
  }
}
