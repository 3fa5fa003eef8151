import assert from 'node:assert/strict';
import { loadBrowserFile, loadWidgetParts } from '../../web/browser-bundle.ts';
import { contrastRatio, buildDarkPalette, buildLightPalette, mixColors } from '../../widget/ui/palette.ts';
import { readAppearance } from '../../widget/ui/theme.ts';
import { english as bookingWords, type Words } from '../../widget/booking/words.ts';
import { findTranslation, translations, type Translation } from '../../widget/languages.ts';
import { english, fill, type Texts } from '../../widget/texts.ts';

/** Keys of the widget's translated texts that equal the English text, by language. */
const EQUAL_TEXTS: Partial<Record<Translation, string[]>> = {
  de: ['team'],
  fr: ['messages', 'sources'],
  it: ['team', 'privacy'],
  nl: ['team', 'privacy'],
};
/** Keys of the widget's translated booking texts that equal the English text, by language. */
const EQUAL_WORDS: Partial<Record<Translation, string[]>> = { de: ['name'] };

describe('the widget’s theme', () => {
  it('uses the configured colors, and defaults for all other colors', () => {
    const palette = buildLightPalette({ primary_color: '#7C3AED', panel_bg: '#fffdf5' });
    assert.equal(palette.primary_color, '#7C3AED');
    assert.equal(palette.panel_bg, '#fffdf5');
    assert.equal(palette.bot_bubble_bg, '#eef2f7');
  });

  it('uses the configured dark colors, or derives them from the light colors', () => {
    const set = { panel_bg: '#101820', messages_bg: '#000000', extra: 'kept' };
    const chosen = buildDarkPalette({ dark_palette: set });
    assert.equal(chosen.panel_bg, '#101820');
    assert.equal(chosen.messages_bg, '#000000');
    for (const theme of [
      {},
      { dark_palette: null },
      { dark_palette: { panel_bg: null } },
      { panel_bg: '#ffeedd' },
    ]) {
      const derived = buildDarkPalette(theme);
      for (const name of ['panel_bg', 'messages_bg', 'bot_bubble_bg'] as const)
        assert.ok(contrastRatio(derived[name], '#ffffff') > 10, `${name} ${derived[name]}`);
    }
    assert.notEqual(
      buildDarkPalette({ panel_bg: '#ffcc00' }).panel_bg,
      buildDarkPalette({ panel_bg: '#0000ff' }).panel_bg,
    );
  });

  it('keeps text readable with any colors', () => {
    const colors = ['#ffffff', '#000000', '#ffff00', '#777777', '#2563eb', '#00ff00', '#123456'];
    for (const primary_color of colors) {
      for (const bubble of colors) {
        const theme = {
          primary_color,
          user_bubble_text: bubble,
          bot_bubble_bg: bubble,
          bot_bubble_text: primary_color,
        };
        for (const palette of [
          buildLightPalette(theme),
          buildDarkPalette(theme),
          buildDarkPalette({ dark_palette: theme }),
        ]) {
          assert.ok(contrastRatio(palette.primary_color, palette.user_bubble_text) >= 4.5);
          assert.ok(contrastRatio(palette.bot_bubble_bg, palette.bot_bubble_text) >= 4.5);
        }
      }
    }
    const { primary_color, panel_bg } = buildDarkPalette({ primary_color: '#000044' });
    assert.ok(contrastRatio(primary_color, panel_bg) >= 3);
  });

  it('keeps text readable on clashing panel, message, field, code and gradient colors', () => {
    const colors = ['#ffffff', '#000000', '#ffff00', '#777777', '#008800', '#0000ff', '#c0c0c0'];
    for (const panel_bg of colors) {
      for (const messages_bg of colors) {
        const gradient = { from_color: panel_bg, to_color: messages_bg, angle: 90 };
        const { css } = readAppearance({ panel_bg, messages_bg, bot_bubble_bg: panel_bg, gradient });
        for (const part of css.split('@media')) {
          const readVariable = (name: string) => new RegExp(`--${name}:([^;}]+)`).exec(part)![1]!;
          const [, from = '', to = ''] = /,(#\w+),(#\w+)\)/.exec(readVariable('brand'))!;
          const pairs = [
            [readVariable('panel'), readVariable('text')],
            [readVariable('panel'), readVariable('error')],
            [readVariable('messages'), readVariable('on-messages')],
            [readVariable('messages'), readVariable('messages-error')],
            [readVariable('messages'), readVariable('hint')],
            [readVariable('code'), readVariable('bot-text')],
            ...[0, 0.3, 0.5, 0.7, 1].map((place) => [mixColors(from, to, place), readVariable('on-brand')]),
          ];
          for (const [ground = '', text = ''] of pairs)
            assert.ok(
              contrastRatio(ground, text) >= 4.5,
              `${text} on ${ground}, of ${panel_bg} and ${messages_bg}`,
            );
        }
      }
    }
  });

  it('does not change a readable gradient', () => {
    const { css } = readAppearance({ gradient: { from_color: '#2563eb', to_color: '#7c3aed', angle: 90 } });
    assert.match(css, /--brand:linear-gradient\(90deg,#2563eb,#7c3aed\);--on-brand:#ffffff/);
  });

  for (const [scheme, expected] of [
    [undefined, 'light'],
    ['light', 'light'],
    ['dark', 'dark'],
    ['night', 'light'],
  ] as const)
    it(`uses ${expected} colors with the color scheme ${scheme}`, () => {
      const { css } = readAppearance({ color_scheme: scheme });
      assert.match(css, new RegExp(`;color-scheme:${expected}\\}$`));
    });

  it('uses the colors of the visitor’s system with the color scheme auto', () => {
    const { css } = readAppearance({ color_scheme: 'auto' });
    assert.match(css, /^\.widget\{[^}]*\}@media \(prefers-color-scheme:dark\)\{\.widget\{[^}]*\}\}$/);
  });

  it('writes only colors, numbers and URLs into the style sheet', () => {
    const { css, avatarUrl, position } = readAppearance({
      primary_color: 'red;}*{display:none',
      gradient: { from_color: '#111111', to_color: '#222222', angle: '90deg);}' as unknown as number },
      avatar_url: 'javascript:alert(1)',
      position: 'left',
    });
    assert.match(css, /--brand:linear-gradient\(135deg,#111111,#222222\)/);
    assert.equal(css.includes('display:none'), false);
    assert.equal(css.includes('90deg'), false);
    assert.equal(avatarUrl, null);
    assert.equal(position, 'left');
    assert.equal(
      readAppearance({ avatar_url: 'https://example.com/a.png' }).avatarUrl,
      'https://example.com/a.png',
    );
    assert.equal(readAppearance({ position: { evil: true } }).position, 'right');
  });
});

describe('the widget’s translations', () => {
  const listPlaceholders = (text: string) => text.match(/\{\w+\}/g)?.sort() ?? [];

  /**
   * Asserts that a translation of the widget has all keys and their placeholders, and no English text except
   * those that are equal in both languages.
   */
  function assertComplete(
    texts: Record<string, string>,
    expected: Record<string, string>,
    equalKeys: readonly string[] = [],
  ): void {
    assert.deepEqual(Object.keys(texts), Object.keys(expected));
    assert.deepEqual(
      Object.keys(texts).filter((key) => texts[key] === expected[key]),
      equalKeys,
    );
    for (const [key, text] of Object.entries(texts)) {
      assert.notEqual(text.trim(), '', key);
      assert.deepEqual(listPlaceholders(text), listPlaceholders(expected[key]!), key);
    }
  }

  it('are chosen by the first language that has a translation', () => {
    assert.equal(findTranslation(['de-AT', 'en']), 'de');
    assert.equal(findTranslation(['auto', 'ja', 'PT-br']), 'pt');
    assert.equal(findTranslation(['en-GB', 'fr']), null);
    assert.equal(findTranslation(['auto', 'constructor', '']), null);
    assert.equal(fill('{a} of {b} {c}', { a: 1, b: '$&' }), '1 of $& {c}');
  });

  for (const language of translations) {
    it(`include ${language} with all texts and placeholders, and leave no text in English`, async () => {
      const texts = JSON.parse((await loadBrowserFile(`${language}.json`)).toString()) as Texts;
      assertComplete(texts, english, EQUAL_TEXTS[language]);
      const parts = await loadWidgetParts();
      const name = [...parts.keys()].find((each) => each.startsWith(`booking-${language}-`))!;
      assertComplete(JSON.parse(parts.get(name)!.toString()) as Words, bookingWords, EQUAL_WORDS[language]);
    });
  }
});
