import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Database } from '../../database/database.ts';
import type { OriginalRepository } from '../../repositories/knowledge/original.repository.ts';
import type { ContentFiles } from '../../services/encryption/content-files.ts';
import { Originals } from '../../services/knowledge/originals.ts';

const fetched = { sha256: 'a'.repeat(64), etag: null, lastModified: null, url: '', robots: null };
const document = { id: 'd', orgId: 'o', botId: 'b', keyId: null, storageKey: 'o/b/d/1/original', fetched };

describe('an original whose digest differs from its row', () => {
  const scope = { orgId: 'o', db: {} as Database };
  let forgotten: string[];
  let originals: Originals;

  beforeEach(() => {
    forgotten = [];
    const files = { open: async () => ({ content: Readable.from([Buffer.from('bikes')]), sizeBytes: 5 }) };
    const rows = { forgetIndexed: async (_: unknown, { id }: { id: string }) => void forgotten.push(id) };
    originals = new Originals(files as unknown as ContentFiles, rows as unknown as OriginalRepository);
  });

  it('causes ObjectChangedError while it is read, and its page is marked to be stored again', async () => {
    const { content } = await originals.open(scope, { ...document, sizeBytes: 5 });
    await assert.rejects(text(content), { name: 'ObjectChangedError' });
    assert.deepEqual(forgotten, ['d']);
  });

  it('can be resealed, unless its size differs as well', async () => {
    const { content } = await originals.openForReseal({ ...document, sizeBytes: 5 });
    assert.equal(await text(content), 'bikes');
    await assert.rejects(originals.openForReseal({ ...document, sizeBytes: 6 }), {
      name: 'ObjectChangedError',
    });
  });
});
