import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { consequences } from '../../core/encryption/mode-consequences.ts';
import { encryptionSettings } from '../../core/settings/encryption-settings.ts';

describe('the page about encryption', () => {
  const page = readFileSync('docs/encryption.md', 'utf8');
  const listItemsBelow = (mode: string) => {
    const [, rest = ''] = page.split(`**\`${mode}\`**`);
    const [list = ''] = rest.slice(rest.indexOf('\n- ') + 1).split('\n\n');
    return list
      .replaceAll('\n  ', ' ')
      .split('\n')
      .map((line) => line.replace(/^- /, ''));
  };

  for (const [mode, sentences] of Object.entries(consequences))
    it(`explains the mode ${mode} with the API’s own words`, () =>
      assert.deepEqual(listItemsBelow(mode), [...sentences]));

  it('names every setting', () => {
    for (const { env } of Object.values(encryptionSettings)) assert.ok(page.includes(env), env);
  });
});
