import assert from 'node:assert/strict';
import { parseGreetings } from '../../console/bots/fields/launcher-draft.ts';
import { findThemeChanges, toThemeDraft } from '../../console/bots/fields/theme-draft.ts';

describe('findThemeChanges', () => {
  const theme = {
    launcher: { label: 'Ask us', offset_x: 9999, shape: 'square' },
    panel: { width: 500, animation: 'fade' },
    greetings: [
      { txt: 'Hi' },
      { text: 'Prices?', pages: ['/pricing'], after_seconds: 3, emoji: '👋' },
      'Hello',
      { text: 'Help?', after_seconds: 9999 },
    ],
  };
  const stored = toThemeDraft(theme);
  const findChanges = (edited: Partial<typeof stored>) => findThemeChanges(stored, { ...stored, ...edited });

  it('returns null if no value of the form was edited', () => {
    assert.equal(findChanges({}), null);
  });

  it('keeps keys and values of launcher and panel that the form does not show', () => {
    assert.deepEqual(findChanges({ launcher_label: 'Chat', panel_width: '' }), {
      launcher: { label: 'Chat', offset_x: 9999, shape: 'square' },
      panel: { animation: 'fade' },
    });
    assert.deepEqual(findChanges({ launcher_x: '30', launcher_hidden: true }), {
      launcher: { label: 'Ask us', offset_x: 30, shape: 'square', hidden: true },
    });
  });

  it('keeps greetings that the form does not show, and unknown keys of the edited ones', () => {
    const [prices, help] = parseGreetings(stored);
    const added = { text: 'New', pages: '', afterSeconds: '5' };
    const greetings = JSON.stringify([{ ...prices!, text: 'Costs?', pages: '' }, help, added]);
    assert.deepEqual(findChanges({ greetings }), {
      greetings: [
        { txt: 'Hi' },
        { text: 'Costs?', after_seconds: 3, emoji: '👋' },
        'Hello',
        { text: 'Help?', after_seconds: 9999 },
        { text: 'New', after_seconds: 5 },
      ],
    });
    assert.deepEqual(findChanges({ greetings: '[]' }), { greetings: [{ txt: 'Hi' }, 'Hello'] });
  });
});
