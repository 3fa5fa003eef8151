import { percentile, type Figure } from '../support/figure.ts';
import { call } from '../support/installation.ts';
import { createOwner } from '../support/owner.ts';
import { until } from '../support/until.ts';
import { newId } from '../../core/ids.ts';
import { atMost, createAll, createShelf, plain, statesOf, type Scene, type Shelf } from './scene.ts';

const WAITING = 1000;
const LIMIT_SECONDS = 3;
const TIMEOUT_MS = 180_000;
const PAGES = 40;

/** Measures the indexing of one workspace's page while a thousand pages of another workspace wait. */
export async function benchOtherWorkspace(scene: Scene): Promise<Figure[]> {
  const { installation, db, site } = scene;
  const crowded = await createShelf(installation);
  const other = await createShelf({ ...installation, apiKey: await createOwner(db, newId()) });
  await indexOne(scene, other, `${site}/warm-up/0`);
  const urls = Array.from({ length: WAITING }, (_, page) => `${site}/crowd/${page}`);
  await createAll(
    crowded,
    urls.map((url) => ({ source_type: 'url', url })),
  );
  const seconds: number[] = [];
  let left = await leftOf(scene, crowded);
  const leftAtFirst = left;
  while (left > WAITING / 20 && seconds.length < PAGES) {
    seconds.push(await indexOne(scene, other, `${site}/other/${seconds.length}`));
    left = await leftOf(scene, crowded);
  }
  await call(installation, 'DELETE', `/api/bots/${crowded.botId}`);
  return [
    plain(
      `pages of another workspace, of which ${seconds.length} were indexed while others waited`,
      leftAtFirst,
      'waiting',
      0,
    ),
    plain('a page of another workspace meanwhile until indexed: p50', percentile(seconds, 0.5), 's', 2),
    atMost(
      'a page of another workspace meanwhile until indexed: p95',
      percentile(seconds, 0.95),
      LIMIT_SECONDS,
      's',
    ),
  ];
}

async function leftOf(scene: Scene, shelf: Shelf): Promise<number> {
  const { pending = 0, processing = 0 } = await statesOf(scene, shelf);
  return pending + processing;
}

async function indexOne(scene: Scene, shelf: Shelf, url: string): Promise<number> {
  const startedAt = performance.now();
  const { indexed: before = 0 } = await statesOf(scene, shelf);
  await call(shelf.as, 'POST', shelf.knowledge, { source_type: 'url', url });
  const isIndexed = await until(
    TIMEOUT_MS,
    async () => (await statesOf(scene, shelf))['indexed'] === before + 1,
  );
  if (!isIndexed) throw new Error('The page of the other workspace was not indexed.');
  return (performance.now() - startedAt) / 1000;
}
