import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chunkSections } from '../../services/knowledge/ingestion/chunker.ts';

const section = (text: string, ...headings: string[]) => ({ headings, text });
const sentence = (number: number) =>
  `Sentence ${number} tells the reader one more thing about harbour bicycles.`;
const sentences = (count: number) => Array.from({ length: count }, (_value, index) => sentence(index));

describe('The chunker', () => {
  it('never lets a chunk span a heading, and numbers chunks over the document', () => {
    const chunks = [...chunkSections([section('One.', 'A'), section('Two.', 'A', 'B')])];
    assert.deepEqual(chunks, [
      { position: 0, headings: ['A'], text: 'One.', tokenCount: 2 },
      { position: 1, headings: ['A', 'B'], text: 'Two.', tokenCount: 2 },
    ]);
  });

  it('ends chunks at paragraphs, else at sentences, else at words', () => {
    const paragraphs = Array.from({ length: 8 }, () => sentences(3).join(' ')).join('\n\n');
    for (const { text } of chunkSections([section(paragraphs)], { maxTokens: 100 })) {
      assert.match(text, /Sentence 2 [^.]+\.$/);
    }
    for (const { text } of chunkSections([section(sentences(40).join(' '))], { maxTokens: 100 })) {
      assert.match(text, /^Sentence .*bicycles\.$/);
    }
    for (const { text } of chunkSections([section('harbour '.repeat(500))], { maxTokens: 50 })) {
      assert.match(text, /^harbour( harbour)*$/);
    }
  });

  it('repeats up to the overlap inside a section and nothing across sections', () => {
    const chunks = [...chunkSections([section(sentences(60).join(' ')), section('Next.')])];
    assert.deepEqual(
      chunks.map(({ text }) => [/\d+/.exec(text)?.[0], /(\d+)[^\d]*$/.exec(text)?.[1]]),
      [
        ['0', '38'],
        ['35', '59'],
        [undefined, undefined],
      ],
    );
  });

  it('leaves room for the title and the headings, and never exceeds the limit', () => {
    const title = 'A manual with a rather long name '.repeat(5);
    const [plain] = chunkSections([section(sentences(60).join(' '))]);
    const [titled] = chunkSections([section(sentences(60).join(' '))], { title });
    assert((plain?.tokenCount ?? 0) <= 512);
    assert((titled?.tokenCount ?? 0) <= 512 - 35);
  });

  it('cuts two million characters without a space in seconds, and no surrogate pair', () => {
    for (const text of ['a'.repeat(2_000_000), '🚲'.repeat(1_000_000)]) {
      const startedAt = performance.now();
      let longest = 0;
      for (const chunk of chunkSections([section(text)])) {
        longest = Math.max(longest, chunk.tokenCount);
        assert(chunk.text.isWellFormed());
      }
      assert(longest <= 512);
      assert(performance.now() - startedAt < 25_000);
    }
  });

  it('cuts two million characters of prose in about a second', () => {
    const text = sentences(30_000).join(' ').slice(0, 2_000_000);
    const startedAt = performance.now();
    const count = [...chunkSections([section(text)])].length;
    assert(count > 700 && count < 1500);
    assert(performance.now() - startedAt < 25_000);
  });
});
