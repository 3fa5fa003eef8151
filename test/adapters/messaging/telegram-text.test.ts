import assert from 'node:assert/strict';
import { toTelegramText } from '../../../adapters/messaging/telegram-text.ts';

describe('toTelegramText', () => {
  for (const [what, before] of [
    ['before an emoji', 'x'],
    ['within an emoji', ''],
  ] as const)
    it(`ends an entity with a text that is cut ${what}`, () => {
      const bold = '😊'.repeat(3000);
      const { text, entities } = toTelegramText({
        lines: [[{ text: before }, { text: bold, isBold: true }, { text: 'later', link: 'https://x.test/' }]],
      });
      assert.ok(text.length <= 4096 && text.isWellFormed() && text.endsWith('😊…'));
      assert.deepEqual(entities, [
        { type: 'bold', offset: before.length, length: text.length - before.length - '…'.length },
      ]);
    });

  it('counts the offsets of entities in UTF-16 code units', () => {
    const { text, entities } = toTelegramText({
      lines: [
        [{ text: '👩‍👩‍👧 ' }, { text: 'Ñandú 😊', isBold: true }],
        [{ text: 'a', link: 'https://x.test/' }],
      ],
    });
    assert.deepEqual(
      entities.map(({ offset, length }) => text.slice(offset, offset + length)),
      ['Ñandú 😊', 'a'],
    );
  });
});
