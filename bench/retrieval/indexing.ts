import { fetchModel, findDownloadableModel } from '../../scripts/embeddings/fetch-model.ts';
import { percentile, roundTo, type Figure } from '../support/figure.ts';
import { call, startInstallation } from '../support/installation.ts';
import { readAskedQuestions, readParagraphs } from './xquad.ts';

const PARAGRAPHS = 120;
const TARGET_MS = 60;
const PAUSE_MS = 100;

interface IndexedDocument {
  status: string;
  embedding_model?: string | null;
}

/** Measures searches through the API while the worker computes vectors of new documents. */
export async function benchIndexing(): Promise<Figure[]> {
  const modelPath = await fetchModel(
    process.env,
    () => {},
    findDownloadableModel(process.env['BENCH_MODEL']),
  );
  const installation = await startInstallation({ PARLEY_EMBEDDING_MODEL_PATH: modelPath });
  try {
    const { id } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
    const knowledge = `/api/bots/${id}/knowledge`;
    const startedAt = performance.now();
    const documentIds: string[] = [];
    for (const { article, text } of readParagraphs().slice(0, PARAGRAPHS)) {
      const document = { source_type: 'raw_text', raw_text: text, title: article.replaceAll('_', ' ') };
      documentIds.push((await call<{ id: string }>(installation, 'POST', knowledge, document)).id);
    }
    const questions = readAskedQuestions('en').map(({ question }) => question);
    const durations: number[] = [];
    const isEmbedded = async () => {
      const last = await call<IndexedDocument>(installation, 'GET', `${knowledge}/${documentIds.at(-1)}`);
      return typeof last.embedding_model === 'string';
    };
    for (let at = 0; !(await isEmbedded()); at += 1) {
      const query = questions[at % questions.length];
      const askedAt = performance.now();
      await call(installation, 'POST', `${knowledge}/search`, { query });
      durations.push(performance.now() - askedAt);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const p95 = roundTo(percentile(durations, 0.95), 1);
    return [
      {
        bench: 'retrieval',
        figure: 'search while vectors are computed, p95',
        value: p95,
        unit: 'ms',
        target: `≤ ${TARGET_MS}`,
        ok: p95 <= TARGET_MS,
        note: `${durations.length} searches, p50 ${roundTo(percentile(durations, 0.5), 1)} ms`,
      },
      {
        bench: 'retrieval',
        figure: `${PARAGRAPHS} paragraphs until all have vectors`,
        value: roundTo(seconds, 1),
        unit: 's',
      },
    ];
  } finally {
    await installation.stop();
  }
}
