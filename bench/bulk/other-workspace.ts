import { percentile, type Figure } from '../support/figure.ts';
import { call } from '../support/installation.ts';
import { createOwnerKey } from '../support/owner.ts';
import { pollWithin } from '../support/poll-within.ts';
import { newId } from '../../core/ids.ts';
import {
  buildMaxBulkFigure,
  createAll,
  createDocumentBot,
  buildBulkFigure,
  countDocumentStates,
  type Scene,
  type DocumentBot,
} from './scene.ts';

const WAITING = 1000;
const LIMIT_SECONDS = 3;
const TIMEOUT_MS = 180_000;
const PAGES = 40;

/** Measures the indexing of one workspace's page while a thousand pages of another workspace wait. */
export async function benchOtherWorkspace(scene: Scene): Promise<Figure[]> {
  const { installation, db, site } = scene;
  const crowded = await createDocumentBot(installation);
  const other = await createDocumentBot({ ...installation, apiKey: await createOwnerKey(db, newId()) });
  await indexOne(scene, other, `${site}/warm-up/0`);
  const urls = Array.from({ length: WAITING }, (_, page) => `${site}/crowd/${page}`);
  await createAll(
    crowded,
    urls.map((url) => ({ source_type: 'url', url })),
  );
  const seconds: number[] = [];
  let unindexedCount = await countUnindexed(scene, crowded);
  const leftAtFirst = unindexedCount;
  while (unindexedCount > WAITING / 20 && seconds.length < PAGES) {
    seconds.push(await indexOne(scene, other, `${site}/other/${seconds.length}`));
    unindexedCount = await countUnindexed(scene, crowded);
  }
  await call(installation, 'DELETE', `/api/bots/${crowded.botId}`);
  return [
    buildBulkFigure(
      `pages of another workspace, of which ${seconds.length} were indexed while others waited`,
      leftAtFirst,
      'waiting',
      0,
    ),
    buildBulkFigure(
      'a page of another workspace meanwhile until indexed: p50',
      percentile(seconds, 0.5),
      's',
      2,
    ),
    buildMaxBulkFigure(
      'a page of another workspace meanwhile until indexed: p95',
      percentile(seconds, 0.95),
      LIMIT_SECONDS,
      's',
    ),
  ];
}

async function countUnindexed(scene: Scene, bot: DocumentBot): Promise<number> {
  const { pending = 0, processing = 0 } = await countDocumentStates(scene, bot);
  return pending + processing;
}

async function indexOne(scene: Scene, bot: DocumentBot, url: string): Promise<number> {
  const startedAt = performance.now();
  const { indexed: before = 0 } = await countDocumentStates(scene, bot);
  await call(bot.as, 'POST', bot.knowledge, { source_type: 'url', url });
  const isIndexed = await pollWithin(
    TIMEOUT_MS,
    async () => (await countDocumentStates(scene, bot))['indexed'] === before + 1,
  );
  if (!isIndexed) throw new Error('The page of the other workspace was not indexed.');
  return (performance.now() - startedAt) / 1000;
}
