import type { Embedder } from '../../adapters/embedding/embedder.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { buildBot } from '../support/bench-bot.ts';
import { roundTo, type Figure } from '../support/figure.ts';
import { createBaseline } from './baseline.ts';
import { indexPages } from './index-pages.ts';
import { indexVectors } from './index-vectors.ts';
import { createSources } from './sources.ts';
import { readAskedQuestions, readParagraphs } from './xquad.ts';

const LANGUAGES = ['en', 'de', 'es', 'zh'] as const;

/**
 * Measures how well questions in four languages find the right one of 240 English paragraphs (data set
 * XQuAD). Measures also how many questions on another subject find nothing.
 * @param foreign questions that no paragraph answers
 */
export async function benchLanguages(
  scope: OrgScope,
  embedder: Embedder,
  foreign: readonly string[],
): Promise<Figure[]> {
  const paragraphs = readParagraphs();
  const pages = paragraphs.map(({ id, article, text }) => ({
    id,
    title: article.replaceAll('_', ' '),
    text,
  }));
  const botId = await buildBot({ ...scope });
  const pageByDocument = await indexPages(
    scope,
    botId,
    pages.map(({ id, title, text }) => ({ id: `${id}.md`, bytes: Buffer.from(`# ${title}\n\n${text}\n`) })),
    'text/markdown',
  );
  await indexVectors(scope, embedder);
  const baseline = await createBaseline(new Map(pages.map(({ id, text }) => [id, text])), embedder);
  const figures: Figure[] = [];
  const addFigure = (name: string, value: number) =>
    figures.push({
      bench: 'retrieval',
      figure: `languages, ${name}`,
      value: roundTo(value, 3),
      unit: 'of 1',
    });
  const searches = [
    ...createSources(scope, botId, embedder).map(({ name, search }) => ({
      name: name as string,
      find: async (question: string) =>
        (await search(question, false)).map(({ documentId }) =>
          pageByDocument.get(documentId)!.replace('.md', ''),
        ),
    })),
    { name: 'baseline', find: baseline },
  ];
  for (const { name, find } of searches) {
    for (const language of LANGUAGES) {
      const ranks: number[] = [];
      let empty = 0;
      for (const { question, paragraph } of readAskedQuestions(language)) {
        const found = [...new Set(await find(question))];
        if (found.length === 0) empty += 1;
        ranks.push((found.indexOf(paragraph) + 1 || Infinity) as number);
      }
      const share = (first: number) => ranks.filter((rank) => rank <= first).length / ranks.length;
      addFigure(`${name}, ${language}: hit@1`, share(1));
      addFigure(`${name}, ${language}: hit@3`, share(3));
      addFigure(`${name}, ${language}: MRR`, ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length);
      addFigure(`${name}, ${language}: nothing found`, empty / ranks.length);
    }
    if (name === 'baseline') continue;
    let empty = 0;
    for (const question of foreign) if ((await find(question)).length === 0) empty += 1;
    addFigure(`${name}: nothing found on a foreign subject`, empty / foreign.length);
  }
  return figures;
}
