import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { contentDisposition, safeFilename } from '../../../adapters/storage/filename.ts';

describe('A file name', () => {
  it('loses its path, control characters and deceptions', () => {
    assert.equal(safeFilename('../../etc/passwd'), 'passwd');
    assert.equal(safeFilename('C:\\Users\\me\\Plan.docx'), 'Plan.docx');
    assert.equal(safeFilename('a\r\nSet-Cookie: x.pdf'), 'aSet-Cookie: x.pdf');
    assert.equal(safeFilename('invoice\u202efdp.exe'), 'invoicefdp.exe');
    assert.equal(safeFilename('nul\0byte.md'), 'nulbyte.md');
    for (const nothing of ['', '.', '..', '/', '\u0000']) assert.equal(safeFilename(nothing), 'document');
  });

  it('keeps other languages, emoji and quotes', () => {
    for (const name of ['取扱説明書.pdf', '🚲 tour "one".md', 'Ünïcode.txt'])
      assert.equal(safeFilename(name), name);
  });

  it('is shortened to 255 bytes between characters, keeping its extension', () => {
    const name = safeFilename(`${'👩‍🚀'.repeat(50)}.pdf`);
    assert.equal(name, `${'👩‍🚀'.repeat(22)}.pdf`);
    assert.equal(Buffer.byteLength(safeFilename('x'.repeat(300))), 255);
  });
});

describe('Content-Disposition', () => {
  it('has an ASCII fallback beside the encoded name, and no way out of the quotes', () => {
    assert.equal(contentDisposition('plan.pdf'), 'attachment; filename="plan.pdf"');
    assert.equal(contentDisposition('a "b".pdf'), 'attachment; filename="a \\"b\\".pdf"');
    assert.equal(
      contentDisposition('Größe🚲.pdf'),
      `attachment; filename="Gro_e_.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%F0%9F%9A%B2.pdf`,
    );
    assert.doesNotMatch(contentDisposition('a\r\nX: y.pdf'), /[\r\n]/);
  });
});
