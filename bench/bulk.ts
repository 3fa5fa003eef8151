import { createDataSource } from '../entities/data-source.ts';
import { Database } from '../database/database.ts';
import { benchLargeFiles } from './bulk/large-files.ts';
import { benchManyDocuments } from './bulk/many-documents.ts';
import { benchOtherWorkspace } from './bulk/other-workspace.ts';
import type { Scene } from './bulk/scene.ts';
import type { Figure } from './support/figure.ts';
import { startPeer } from './support/peer.ts';
import type { Installation } from './support/installation.ts';

/** Benches that ingest hundreds of documents or large documents. */
export const bulkBenches = {
  'bulk/many-documents': runOnBulkScene(benchManyDocuments),
  'bulk/other-workspace': runOnBulkScene(benchOtherWorkspace),
  'bulk/large-files': runOnBulkScene(benchLargeFiles),
};

function runOnBulkScene(bench: (scene: Scene) => Promise<Figure[]>) {
  return async (installation: Installation): Promise<Figure[]> => {
    const { databaseUrl } = installation;
    const site = await startPeer('bulk/site-process.ts');
    const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }).initialize();
    try {
      return await bench({
        installation,
        db: new Database(dataSource),
        site: `http://127.0.0.1:${site.line}`,
      });
    } finally {
      await dataSource.destroy();
      site.stop();
    }
  };
}
