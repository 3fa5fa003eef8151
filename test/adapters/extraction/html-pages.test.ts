import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { extractBytes } from './extraction-support.ts';

const PROSE =
  'This sentence is as long as sentences usually are, so that a reader has something to read here.';

/** Reads a page and returns its Markdown, with headings. */
async function readPage(body: string): Promise<string> {
  const { sections } = await extractBytes(
    `<!doctype html><html><title>Case</title><body>${body}`,
    'page.html',
  );
  return sections.map(({ headings, text }) => [...headings, text].join('\n')).join('\n');
}

describe('extracting an HTML page with NUL bytes', () => {
  it('ignores the NUL bytes', async () => {
    const page = await readPage(
      `<main><h1>Bo\0ats</h1><p>${PROSE}</p><img src="/i.gif" alt="">${'\0'.repeat(900)}<p>Boats are f\0or hire.</p></main>`,
    );
    assert.equal(page, `Boats\n${PROSE}\n\nBoats are for hire.`);
  });
});
