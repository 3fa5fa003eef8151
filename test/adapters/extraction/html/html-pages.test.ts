import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { extractBytes } from '../extraction-support.ts';

const PROSE =
  'This sentence is as long as sentences usually are, so that a reader has something to read here.';

/** Reads an HTML page with this body and returns its Markdown, with headings. */
async function readPage(body: string): Promise<string> {
  const { sections } = await extractBytes(
    `<!doctype html><html><title>Case</title><body>${body}`,
    'page.html',
  );
  return sections.map(({ headings, text }) => [...headings, text].join('\n')).join('\n');
}

describe('extractDocument of an HTML page with NUL bytes', () => {
  it('ignores the NUL bytes', async () => {
    const page = await readPage(
      `<main><h1>Bo\0ats</h1><p>${PROSE}</p><img src="/i.gif" alt="">${'\0'.repeat(900)}<p>Boats are f\0or hire.</p></main>`,
    );
    assert.equal(page, `Boats\n${PROSE}\n\nBoats are for hire.`);
  });
});

describe('extractDocument of an HTML page with links in a table', () => {
  const USE = `${PROSE} ${PROSE}`;
  const row = (name: string, cell: string) => `<tr><td>${name}</td><td>${USE}</td><td>${cell}</td></tr>`;
  /** Reads a page with a table of these rows, below a text that the library Readability takes for the only content. */
  const readTable = async (rows: string) => {
    const table = `<table><tr><th>Part</th><th>Use</th><th>File</th></tr>${rows}</table>`;
    const page = await readPage(
      `<h1>Parts</h1><article>${`<p>${PROSE}</p>`.repeat(6)}</article><div>${table}</div>`,
    );
    return page.split('\n').filter((line) => line.startsWith('|'));
  };
  const head = ['| Part | Use | File |', '| --- | --- | --- |'];

  it('reads links that fill short cells below headers', async () => {
    assert.deepEqual(
      await readTable(
        row('Seal', '<a href="/seal.pdf">Drawing</a>') +
          row('Valve', '<p><a href="/valve.pdf">Manual</a></p>'),
      ),
      [...head, `| Seal | ${USE} | Drawing |`, `| Valve | ${USE} | Manual |`],
    );
  });

  it('omits rows and long cells that are menus', async () => {
    const menu =
      '<a href="/boats">All boats</a> <a href="/sails">All sails</a> <a href="/oars">All oars</a> ';
    assert.deepEqual(
      await readTable(
        row('Seal', menu.repeat(3)) +
          row('Valve', 'Ask us') +
          `<tr><td>${menu}</td><td>${menu}</td><td>Tel.</td></tr>`,
      ),
      [...head, `| Seal | ${USE} |`, `| Valve | ${USE} | Ask us |`],
    );
  });
});
