import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitIntoWindows } from '../../../adapters/embedding/windows.ts';

/** Counts the tokens of a text: one for each word. */
const count = (text: string) => text.split(/\s+/).filter(Boolean).length;
const sentence = (index: number) => `Sentence ${index} has exactly six words.`;

describe('splitIntoWindows', () => {
  it('returns the whole passage if it fits into one window', () => {
    const windows = splitIntoWindows(
      { context: 'Manual\nBrakes', text: `${sentence(1)} ${sentence(2)}` },
      { maxTokens: 40, count },
    );
    assert.deepEqual(windows, [`Manual\nBrakes\n${sentence(1)} ${sentence(2)}`]);
  });

  it('ends windows at sentences, at about equal lengths, with a short overlap', () => {
    const text = Array.from({ length: 12 }, (_, index) => sentence(index)).join(' ');
    const windows = splitIntoWindows({ context: 'Manual', text }, { maxTokens: 50, count });
    assert.deepEqual(
      windows.map((window) => window.match(/\d+/g)!.map(Number)),
      [
        [0, 1, 2, 3, 4, 5, 6],
        [6, 7, 8, 9, 10, 11],
      ],
    );
    for (const window of windows) assert.ok(window.startsWith('Manual\n') && count(window) <= 48, window);
  });

  it('shortens a title that leaves no space for the text', () => {
    const context = Array.from({ length: 100 }, (_, index) => `title${index}`).join(' ');
    const [window] = splitIntoWindows({ context, text: sentence(1) }, { maxTokens: 40, count });
    assert.ok(window!.startsWith('title0 title1') && window!.endsWith(sentence(1)));
    assert.ok(count(window!) <= 38);
  });

  it('cuts text without sentences, but never within a character', () => {
    const text = '🚲'.repeat(100);
    const windows = splitIntoWindows({ context: '', text }, { maxTokens: 32, count: (part) => part.length });
    assert.ok(windows.length > 6);
    for (const window of windows) assert.match(window, /^(🚲)+$/u);
  });

  it('omits nothing and never exceeds the model’s window, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 400 }),
        fc.array(fc.stringMatching(/^[a-z]{1,9}[.!?\n]?$/), { maxLength: 200 }),
        (context, words) => {
          const text = words.join(' ');
          const windows = splitIntoWindows({ context, text }, { maxTokens: 32, count });
          for (const window of windows) assert.ok(count(window) <= 32);
          const all = windows.join(' ');
          for (const word of words) assert.ok(all.includes(word.trim()));
        },
      ),
    );
  });
});
