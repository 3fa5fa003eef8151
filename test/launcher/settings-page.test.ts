import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fixedValues } from '../../core/settings/fixed-values.ts';
import { settingDefinitions } from '../../core/settings/setting-definitions.ts';
import { renderSettingsPage } from '../../scripts/generate/settings-page.ts';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { listSourceFiles } from '../support/source-files.ts';

describe('docs/settings.md', () => {
  it('matches what `npm run generate` writes from the settings', () => {
    assert.equal(readFileSync(new URL('docs/settings.md', projectRoot()), 'utf8'), renderSettingsPage());
  });

  it('has at most as many settings as an operator can read', () => {
    const count = Object.keys(settingDefinitions).length;
    assert.ok(count <= 92, `${count} settings: remove one, or move one to core/settings/fixed-values.ts.`);
  });

  it('has one row for each setting, with its meaning', () => {
    const rows = renderSettingsPage().match(/^\| `\w+`.*\|$/gm) ?? [];
    assert.equal(rows.length, Object.keys(settingDefinitions).length);
    for (const row of rows) assert.doesNotMatch(row, /\|\s+\|$/);
  });

  it('has only settings and fixed values that the code reads', () => {
    const folders = [
      'activities',
      'adapters',
      'api',
      'core',
      'database',
      'entities',
      'repositories',
      'scripts',
      'services',
      'worker',
    ];
    const code = listSourceFiles(folders, /\.(ts|mjs)$/)
      .filter((file) => !/^core\/settings\/.*-(settings|definitions|values)\.ts$/.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const words = new Set(code.match(/\w+/g));
    assert.deepEqual(
      Object.keys({ ...settingDefinitions, ...fixedValues }).filter((name) => !words.has(name)),
      [],
    );
  });
});
