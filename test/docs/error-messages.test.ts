import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { listSourceFiles } from '../support/source-files.ts';

const PAGE = 'docs/guides/errors-you-will-meet.md';
const SOURCES = ['adapters', 'api', 'core', 'services', 'sdk/typescript/src', 'widget'];
/** Matches a quotation of an error message in Markdown, with each sentence on its own line. */
const QUOTATION = /(^> .+\n)+/gm;
const ANYTHING = '…';

describe('the guide of errors', () => {
  it('quotes only messages that the sources contain; the guide’s test runs its other blocks', () => {
    const sources = listSourceFiles(SOURCES, /\.ts$/)
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const quotes = [...readFileSync(PAGE, 'utf8').matchAll(QUOTATION)].map(([lines]) =>
      lines.replace(/^> /gm, '').trim().replaceAll('\n', ' '),
    );
    assert.equal(quotes.length, 21);
    // Check the fixed parts of a message with placeholders one by one.
    const parts = quotes.flatMap((quote) => quote.split(ANYTHING)).map((part) => part.trim());
    assert.deepEqual(
      parts.filter((part) => !sources.includes(part)),
      [],
    );
  });
});
