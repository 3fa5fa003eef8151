import type { Figure } from '../support/figure.ts';
import { resetWorkerPeak, readWorkerPeakMegabytes } from '../support/installation.ts';
import { buildProse } from '../support/prose.ts';
import { pollWithin } from '../support/poll-within.ts';
import {
  buildMaxBulkFigure,
  createDocumentBot,
  buildBulkFigure,
  countDocumentStates,
  type Scene,
  type DocumentBot,
} from './scene.ts';

const FILES = 12;
const FILE_BYTES = 24_000_000;
const MEMORY_LIMIT_MB = 600;
const TIMEOUT_MS = 900_000;

/** Measures the worker's peak memory while a workspace uploads twelve large files at once. */
export async function benchLargeFiles(scene: Scene): Promise<Figure[]> {
  const bot = await createDocumentBot(scene.installation);
  const text = new Blob([buildProse(FILE_BYTES)]);
  resetWorkerPeak(scene.installation);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: FILES }, (_, file) => upload(bot, text, `manual-${file}.txt`)));
  const isDone = await pollWithin(TIMEOUT_MS, async () => {
    const { pending = 0, processing = 0 } = await countDocumentStates(scene, bot);
    return pending + processing === 0;
  });
  const { indexed = 0 } = await countDocumentStates(scene, bot);
  if (!isDone || indexed < FILES) throw new Error(`Only ${indexed} of ${FILES} large files were indexed.`);
  const seconds = (performance.now() - startedAt) / 1000;
  const peak = readWorkerPeakMegabytes(scene.installation);
  return [
    buildBulkFigure(`${FILES} files of 24 MB at once until all are indexed`, seconds, 's', 0),
    ...(peak === null
      ? []
      : [
          buildMaxBulkFigure(
            `${FILES} files of 24 MB at once: worker’s peak RSS`,
            peak,
            MEMORY_LIMIT_MB,
            'MB',
          ),
        ]),
  ];
}

async function upload({ as, knowledge }: DocumentBot, text: Blob, filename: string): Promise<void> {
  const form = new FormData();
  form.set('file', text, filename);
  const response = await fetch(`${as.apiUrl}${knowledge}/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.apiKey}` },
    body: form,
  });
  if (!response.ok) throw new Error(`An upload was refused: ${await response.text()}`);
}
