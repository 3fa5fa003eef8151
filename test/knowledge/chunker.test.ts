import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chunkSections } from '../../services/knowledge/ingestion/chunker.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const buildSection = (text: string, ...headings: string[]) => ({ headings, text });
const buildSentence = (number: number) =>
  `Sentence ${number} tells the reader one more thing about harbour bicycles.`;
const buildSentences = (count: number) =>
  Array.from({ length: count }, (_value, index) => buildSentence(index));

describe('chunkSections', () => {
  it('never lets a chunk span a heading, and numbers chunks across the document', () => {
    const chunks = [...chunkSections([buildSection('One.', 'A'), buildSection('Two.', 'A', 'B')])];
    assert.deepEqual(chunks, [
      { position: 0, headings: ['A'], text: 'One.', tokenCount: 2 },
      { position: 1, headings: ['A', 'B'], text: 'Two.', tokenCount: 2 },
    ]);
  });

  it('ends chunks at paragraphs, or else at sentences, or else at words', () => {
    const paragraphs = Array.from({ length: 8 }, () => buildSentences(3).join(' ')).join('\n\n');
    for (const { text } of chunkSections([buildSection(paragraphs)], { maxTokens: 100 })) {
      assert.match(text, /Sentence 2 [^.]+\.$/);
    }
    for (const { text } of chunkSections([buildSection(buildSentences(40).join(' '))], { maxTokens: 100 })) {
      assert.match(text, /^Sentence .*bicycles\.$/);
    }
    for (const { text } of chunkSections([buildSection('harbour '.repeat(500))], { maxTokens: 50 })) {
      assert.match(text, /^harbour( harbour)*$/);
    }
  });

  it('repeats text up to the overlap within a section, and no text across sections', () => {
    const chunks = [...chunkSections([buildSection(buildSentences(60).join(' ')), buildSection('Next.')])];
    assert.deepEqual(
      chunks.map(({ text }) => [/\d+/.exec(text)?.[0], /(\d+)[^\d]*$/.exec(text)?.[1]]),
      [
        ['0', '38'],
        ['35', '59'],
        [undefined, undefined],
      ],
    );
  });

  it('leaves tokens for the title and the headings, and never exceeds the limit', () => {
    const title = 'A manual with a rather long name '.repeat(5);
    const [plain] = chunkSections([buildSection(buildSentences(60).join(' '))]);
    const [titled] = chunkSections([buildSection(buildSentences(60).join(' '))], { title });
    assert((plain?.tokenCount ?? 0) <= 512);
    assert((titled?.tokenCount ?? 0) <= 512 - 35);
  });

  it('splits two million characters that contain no space within seconds, and never splits a surrogate pair', () => {
    for (const text of ['a'.repeat(2_000_000), '🚲'.repeat(1_000_000)]) {
      const startedAt = performance.now();
      let longest = 0;
      for (const chunk of chunkSections([buildSection(text)])) {
        longest = Math.max(longest, chunk.tokenCount);
        assert(chunk.text.isWellFormed());
      }
      assert(longest <= 512);
      assert(performance.now() - startedAt < 25_000);
    }
  });

  itInSoak('splits two million characters of prose within 25 s, into 700 to 1500 chunks', () => {
    const text = buildSentences(30_000).join(' ').slice(0, 2_000_000);
    const startedAt = performance.now();
    const count = [...chunkSections([buildSection(text)])].length;
    assert(count > 700 && count < 1500);
    assert(performance.now() - startedAt < 25_000);
  });
});
