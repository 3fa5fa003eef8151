import assert from 'node:assert/strict';
import fc from 'fast-check';
import { listCitedSources, type Citation } from '../../browser/cited-sources.ts';
import { buildBacktickRuns } from '../support/backtick-runs.ts';
import { assertCpuBelow } from '../support/cost.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const citation = (index: number, page: string, quote = `quote ${index}`): Citation => ({
  index,
  document_id: page,
  title: `Title of ${page}`,
  source_url: page.startsWith('http') ? page : null,
  quote,
});

describe('listCitedSources', () => {
  const numbers = (text: string, citations: Citation[]) =>
    [...listCitedSources(text, citations)].map(([index, { number }]) => [index, number]);

  it('numbers sources in the order in which the text cites them, and uncited sources last', () => {
    const citations = [1, 2, 3, 4].map((index) => citation(index, `file-${index}`));
    assert.deepEqual(numbers('One [4], two [2][4], three [3].', citations), [
      [4, 1],
      [2, 2],
      [3, 3],
      [1, 4],
    ]);
  });

  it('lists a page or file once, with each of its quotes once', () => {
    const page = 'https://example.com/prices';
    const sources = listCitedSources('[3] [1] [2]', [
      citation(1, 'file', 'said'),
      citation(2, page, 'twelve euros'),
      { ...citation(3, page, 'twelve euros'), document_id: 'read again' },
      citation(4, 'file', 'said otherwise'),
    ]);
    const prices = { number: 1, title: `Title of ${page}`, url: page, quotes: ['twelve euros'] };
    const file = { number: 2, title: 'Title of file', url: null, quotes: ['said', 'said otherwise'] };
    assert.deepEqual(Object.fromEntries(sources), { 1: file, 2: prices, 3: prices, 4: file });
  });

  it('does not take brackets in code for citations', () => {
    const citations = [citation(1, 'a'), citation(2, 'b')];
    const code = 'Use `list[2]` or\n```\nlist[2]\n```\nas told [1], and else [2].';
    assert.deepEqual(numbers(code, citations), [
      [1, 1],
      [2, 2],
    ]);
  });

  it('finds no citation in code, whatever runs of backticks delimit it', () => {
    const code = /(`{3,})[^]*?(?:\1|$)|`[^`\n]*`/g;
    const part = fc.constantFrom('`', '``', '```', '````', '\n', ' ', 'a', '[1]', '[2]');
    const citations = [citation(1, 'a'), citation(2, 'b')];
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
        const text = parts.join('');
        const named = [...text.replace(code, '').matchAll(/\[(\d)\]/g)].map(([, index]) => Number(index));
        const order = [...new Set([...named, 1, 2])].map((index, at) => [index, at + 1]);
        assert.deepEqual(numbers(text, citations), order, text);
      }),
      { numRuns: 5_000 },
    );
  });

  itInSoak('takes less than 50 ms of CPU time for the longest answer if it consists of backticks', () => {
    for (const text of buildBacktickRuns(262_144))
      assertCpuBelow(50, () => listCitedSources(text, []), `${text.indexOf('a')} backticks`);
  });
});
