import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { paragraph, readWord, run, wordRelationships } from './word-support.ts';

const HTML = '<html><body><h2>Fees</h2><p>Größe S costs five euros.</p></body></html>';

/** Reads a Word document that imports another file of its archive between two paragraphs. */
async function readImport(name: string, content: string | Buffer) {
  const body = `${paragraph(run('Before.'))}<w:altChunk r:id="c"/>${paragraph(run('After.'))}`;
  const parts = wordRelationships({}, { c: ['aFChunk', name] });
  const { sections, notice } = await readWord(body, { ...parts, [`word/${name}`]: content });
  return { sections, notice };
}

const mhtml = (head: string, body: string) =>
  [
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; type="text/html"; boundary="----=part"',
    '',
    '------=part',
    ...head.split('\n'),
    '',
    body,
    '------=part',
    'Content-Type: image/png',
    '',
    '------=part--',
  ].join('\r\n');

describe('texts in other formats that a Word document imports', () => {
  const expected = [
    { headings: [], text: 'Before.' },
    { headings: ['Fees'], text: 'Größe S costs five euros.\n\nAfter.' },
  ];
  const quoted = HTML.replaceAll('ö', '=C3=B6').replaceAll('ß', '=C3=9F').replace('five', 'fi=\r\nve');
  for (const [what, name, content] of [
    ['HTML', 'chunk.html', HTML],
    ['XHTML', 'chunk.xhtml', `<?xml version="1.0"?>${HTML}`],
    [
      'MHTML with quoted-printable text',
      'chunk.mht',
      mhtml('Content-Type: text/html; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable', quoted),
    ],
    [
      'MHTML with base64',
      'chunk.mhtml',
      mhtml(
        'Content-Transfer-Encoding: base64\nContent-Type: text/html; charset=ISO-8859-1',
        Buffer.from(HTML, 'latin1').toString('base64'),
      ),
    ],
    ['MHTML under another name', 'chunk.dat', mhtml('Content-Type: text/html', HTML)],
  ] as const)
    it(`are read as ${what}`, async () =>
      assert.deepEqual(await readImport(name, content), { sections: expected, notice: undefined }));

  it('are read as plain text', async () => {
    assert.deepEqual((await readImport('chunk.txt', 'Fees: five euros.')).sections, [
      { headings: [], text: 'Before.\n\nFees: five euros.\n\nAfter.' },
    ]);
  });

  it('are skipped with a notice if their format is unknown', async () => {
    assert.deepEqual(await readImport('chunk.rtf', '{\\rtf1 Fees}'), {
      sections: [{ headings: [], text: 'Before.\n\nAfter.' }],
      notice: 'Parts of the Word document are damaged and were skipped: imported texts.',
    });
  });
});
