import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { listSourceFiles } from '../support/source-files.ts';

const PAGE = 'docs/guides/errors-you-will-meet.md';
const SOURCES = ['adapters', 'api', 'core', 'services', 'sdk/typescript/src', 'widget'];
const QUOTE = /^> (.+)$/gm;
const ANYTHING = '…';

describe('the guide of errors', () => {
  it('quotes messages that the sources contain; the guide’s test runs the others', () => {
    const sources = listSourceFiles(SOURCES, /\.ts$/)
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const quotes = [...readFileSync(PAGE, 'utf8').matchAll(QUOTE)].map(([, quote = '']) => quote);
    assert.equal(quotes.length, 12);
    // Parts of a template are compared one by one.
    const parts = quotes.flatMap((quote) => quote.split(ANYTHING)).map((part) => part.trim());
    assert.deepEqual(
      parts.filter((part) => !sources.includes(part)),
      [],
    );
  });
});
