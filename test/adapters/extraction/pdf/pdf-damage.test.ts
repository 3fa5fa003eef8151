import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PdfBuilder, showLines } from './build-pdf.ts';
import { assertUnreadable, extractBytes, extractFixture } from '../extraction-support.ts';

/** Builds a PDF of two pages whose catalog is the first object, as most programs write it. */
function buildBook(): Buffer {
  const pdf = new PdfBuilder();
  pdf.addPage({ content: showLines('The harbour opens at six') });
  pdf.addPage({ content: showLines('It closes at nine') });
  return pdf.build();
}

const read = async (pdf: Buffer | string, filename = 'a.pdf') => {
  const { sections, notice } = await extractBytes(pdf, filename);
  return { text: sections.map(({ text }) => text).join('\n\n'), notice };
};

const replace = (pdf: Buffer, from: string | RegExp, to: string) =>
  Buffer.from(pdf.toString('latin1').replace(from, to), 'latin1');

describe('a damaged PDF', () => {
  it('is read as far as possible if its end is missing, with a notice', async () => {
    const pdf = buildBook();
    const { text, notice } = await read(pdf.subarray(0, pdf.indexOf('startxref')));
    assert.match(text, /The harbour opens at six/);
    assert.equal(notice, 'The PDF is damaged: its end is missing. The readable part is indexed.');
  });

  it('is read completely if its object table is wrong, or if zeros follow its end', async () => {
    const pdf = buildBook();
    const whole = { text: 'The harbour opens at six It closes at nine', notice: undefined };
    assert.deepEqual(await read(replace(pdf, /startxref\n\d+/, 'startxref\n7')), whole);
    assert.deepEqual(await read(Buffer.concat([pdf, Buffer.alloc(5000)])), whole);
  });

  it('is read without its damaged pages, which the notice counts', async () => {
    // The PDF's tree of pages contains itself in place of the second page.
    const pdf = replace(buildBook(), /(Kids\[\S+ 0 R) \S+ 0 R/, '$1 1 0 R');
    assert.deepEqual(await read(pdf), {
      text: 'The harbour opens at six',
      notice: '1 of 2 pages are damaged and cannot be read.',
    });
  });

  it('is refused if no page can be read', async () => {
    const pdf = replace(buildBook(), /Kids\[\S+ 0 R \S+ 0 R/, 'Kids[1 0 R 1 0 R');
    await assertUnreadable(extractBytes(pdf, 'a.pdf'), 'damaged', 'The PDF is damaged.');
  });

  it('is recognized by its objects and its name if the signature is missing', async () => {
    const pdf = replace(buildBook(), '%PDF-1.7', '%       ');
    assert.equal((await read(pdf)).text, 'The harbour opens at six It closes at nine');
  });

  it('is read without its damaged metadata and annotations', async () => {
    const pdf = new PdfBuilder();
    pdf.addPage({
      content: showLines('The harbour opens at six'),
      annotations: ['7', '[/]', '<</Subtype 4>>'],
    });
    assert.deepEqual(await read(pdf.build({ trailer: '/Info 99 0 R', catalog: '/Metadata 98 0 R' })), {
      text: 'The harbour opens at six',
      notice: undefined,
    });
  });
});

describe('an encrypted PDF', () => {
  for (const algorithm of ['rc4-40', 'rc4-128', 'aes-128', 'aes-256']) {
    it(`with ${algorithm} is read if it opens without a password`, async () => {
      const { sections } = await extractFixture(`owner-password-${algorithm}.pdf`);
      assert.deepEqual(sections, [{ headings: [], page: 1, text: 'The harbour opens at six' }]);
    });
  }
});
