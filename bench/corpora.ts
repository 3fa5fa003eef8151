import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { benchArticles, benchPages } from './corpora/articles.ts';
import { benchCalendars } from './corpora/calendars.ts';
import { benchCharsets } from './corpora/charsets.ts';
import { benchOfficeFiles } from './corpora/office-files.ts';
import { benchPdfFiles } from './corpora/pdf-files.ts';
import { DocumentReading } from './corpora/read-document.ts';
import { roundTo, type Figure } from './support/figure.ts';

/**
 * Functions that each measure how well Parley reads one kind of public corpus. They return no figures for a
 * folder of another kind.
 */
const corpora = [benchArticles, benchPages, benchOfficeFiles, benchPdfFiles, benchCharsets, benchCalendars];

const MAX_FILE_SECONDS = 10;

/**
 * Measures how well Parley reads the documents of public corpora.
 * @param folder contains one folder for each corpus, a checkout of its repository
 */
export async function benchCorpora(folder: string | undefined): Promise<Figure[]> {
  if (folder === undefined)
    throw new Error('Name the folder of the corpora: npm run bench -- corpora FOLDER.');
  const reading = new DocumentReading();
  const figures: Figure[] = [];
  for (const name of readdirSync(folder).toSorted())
    for (const bench of corpora) figures.push(...(await bench(join(folder, name), reading)));
  if (figures.length === 0)
    throw new Error(`${folder} has no folder of a known corpus; see bench/README.md.`);
  const { file, ms } = reading.slowest;
  const seconds = roundTo(ms / 1000, 1);
  return [
    ...figures,
    { bench: 'corpora', figure: 'refused files', value: reading.refused, unit: '' },
    {
      bench: 'corpora',
      figure: 'slowest file',
      value: seconds,
      unit: 's',
      target: `≤ ${MAX_FILE_SECONDS}`,
      note: file,
      ok: seconds <= MAX_FILE_SECONDS,
    },
    {
      bench: 'corpora',
      figure: 'peak memory of the process',
      value: Math.round(process.resourceUsage().maxRSS / 1024),
      unit: 'MB',
    },
  ];
}
