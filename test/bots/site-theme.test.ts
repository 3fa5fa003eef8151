import assert from 'node:assert/strict';
import { findColors, readManifest } from '../../adapters/web/page-style.ts';
import { buildSiteTheme } from '../../core/bots/generation/site-theme.ts';

const pickPrimary = (named: string[], css = '') => {
  const found = findColors(css);
  return buildSiteTheme({ named: [...named, ...found.named], used: found.used })['primary_color'];
};

describe('buildSiteTheme', () => {
  for (const [what, primary, expected] of [
    ['the color that the site names', pickPrimary(['#1E40AF']), '#1e40af'],
    ['a short color', pickPrimary(['#c00']), '#cc0000'],
    ['a color in rgb()', pickPrimary(['rgb(30, 64, 175)']), '#1e40af'],
    [
      'a brand variable if the named color is white',
      pickPrimary(['#fff'], ':root{--brand:#16a34a}'),
      '#16a34a',
    ],
    ['an accent color', pickPrimary([], '--color-accent-500: #db2777;'), '#db2777'],
    [
      'the most frequent color that is not gray',
      pickPrimary([], 'a{#777 #777 #777 #16a34a #db2777 #16a34a}'),
      '#16a34a',
    ],
    ['no color of a gray site', pickPrimary(['#333'], 'a{color:#777;background:#eee}'), undefined],
    ['no pale color', pickPrimary(['#ffe4e6'], 'a{color:#fef9c3}'), undefined],
    [
      'no invalid color',
      pickPrimary(['red;}body{', '', '#12', 'rgb(900,0,0)'], 'a{color:#zzzzzz}'),
      undefined,
    ],
    ['no name that begins like a color', pickPrimary([], '#facade-of-house{} #bada55x{}'), undefined],
  ] as const) {
    it(`uses ${what}`, () => assert.equal(primary, expected));
  }

  it('makes the end of the gradient darker than its start', () => {
    assert.deepEqual(buildSiteTheme({ named: ['#1e40af'], used: [] })['gradient'], {
      from_color: '#1e40af',
      to_color: '#173083',
      angle: 135,
    });
  });
});

describe('readManifest', () => {
  it('reads the color and the icons, with URLs relative to the manifest', () => {
    const text = JSON.stringify({
      theme_color: '#1e40af',
      icons: [
        { src: 'a.png', sizes: '48x48 192x192' },
        { src: 'javascript:alert(1)' },
        { sizes: '512x512' },
        null,
      ],
    });
    assert.deepEqual(readManifest(text, 'https://acme.example/app/site.webmanifest'), {
      color: '#1e40af',
      icons: [{ url: 'https://acme.example/app/a.png', pixels: 192 }],
    });
  });

  it('drops characters that a database cannot store', () => {
    const { color } = readManifest('{"theme_color":"#1e4\\u00000af\\ud800"}', 'https://acme.example/');
    assert.equal(color, '#1e40af\ufffd');
  });

  for (const text of ['', '[]', '{"icons":5,"theme_color":5}', 'null']) {
    it(`reads nothing from ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readManifest(text, 'https://acme.example/'), { color: '', icons: [] });
    });
  }
});
