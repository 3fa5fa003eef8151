import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { formatContentDisposition, toSafeFilename } from '../../../adapters/storage/filename.ts';

describe('toSafeFilename', () => {
  it('removes the path, control characters and deceptive characters', () => {
    assert.equal(toSafeFilename('../../etc/passwd'), 'passwd');
    assert.equal(toSafeFilename('C:\\Users\\me\\Plan.docx'), 'Plan.docx');
    assert.equal(toSafeFilename('a\r\nSet-Cookie: x.pdf'), 'aSet-Cookie: x.pdf');
    assert.equal(toSafeFilename('invoice\u202efdp.exe'), 'invoicefdp.exe');
    assert.equal(toSafeFilename('nul\0byte.md'), 'nulbyte.md');
    for (const nothing of ['', '.', '..', '/', '\u0000']) assert.equal(toSafeFilename(nothing), 'document');
  });

  it('keeps languages other than English, emoji and quotes', () => {
    for (const name of ['取扱説明書.pdf', '🚲 tour "one".md', 'Ünïcode.txt'])
      assert.equal(toSafeFilename(name), name);
  });

  it('shortens a name to 255 bytes between characters, keeping its extension', () => {
    const name = toSafeFilename(`${'👩‍🚀'.repeat(50)}.pdf`);
    assert.equal(name, `${'👩‍🚀'.repeat(22)}.pdf`);
    assert.equal(Buffer.byteLength(toSafeFilename('x'.repeat(300))), 255);
    assert.equal(toSafeFilename(`a${'\u0301\u0334'.repeat(500)}.pdf`), 'document.pdf');
  });
});

describe('formatContentDisposition', () => {
  it('adds an ASCII fallback to the encoded name, and quotation marks that no name can end', () => {
    assert.equal(formatContentDisposition('plan.pdf'), 'attachment; filename="plan.pdf"');
    assert.equal(formatContentDisposition('a "b".pdf'), 'attachment; filename="a \\"b\\".pdf"');
    assert.equal(
      formatContentDisposition('Größe🚲.pdf'),
      `attachment; filename="Gro_e_.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%F0%9F%9A%B2.pdf`,
    );
    assert.doesNotMatch(formatContentDisposition('a\r\nX: y.pdf'), /[\r\n]/);
  });
});
