import assert from 'node:assert/strict';
import type { TextRecognizer } from '../../../adapters/recognition/text-recognizer.ts';
import { RecognizedPages } from '../../../services/knowledge/ingestion/recognized-pages.ts';
import { extractFile, openFixture } from '../../knowledge/extraction-threads.ts';

describe('extractAndChunk of a scan, repeated after an abort', () => {
  it('recognizes no page again until the document is forgotten', async () => {
    const turn = new AbortController();
    let recognized = 0;
    const recognizer: TextRecognizer = {
      recognize: async () => {
        recognized += 1;
        turn.abort(new Error('The turn has ended.'));
        return [];
      },
      listLanguages: async () => ['eng'],
    };
    const pages = new RecognizedPages();
    const readScan = (signal?: AbortSignal) => {
      const recognition = { recognizer, languages: ['en'], known: { pages, documentId: 'doc_scan' } };
      return extractFile(openFixture('half-scanned.pdf'), () => {}, {
        ...(signal && { signal }),
        recognition,
      });
    };
    await assert.rejects(readScan(turn.signal), /The turn has ended/);
    await readScan();
    assert.equal(recognized, 1);
    pages.forget('doc_scan');
    await readScan();
    assert.equal(recognized, 2);
  });
});
