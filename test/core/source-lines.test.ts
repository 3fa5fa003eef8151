import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { projectRoot } from '../../scripts/launcher/project-root.ts';

describe('the stack of an error', () => {
  it('names lines of the source files', () => {
    const script = `
      const { mapStackTraces } = await import('./dist/core/errors/source-lines.js');
      const { loadSettings } = await import('./dist/core/settings/settings.js');
      mapStackTraces();
      try { loadSettings({ PARLEY_NO_SUCH: '1' }); } catch (error) { process.stdout.write(error.stack); }`;
    const stack = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: projectRoot(),
      encoding: 'utf8',
    });
    const [, file, line] = /^ {4}at loadSettings \((.*):(\d+):\d+\)$/m.exec(stack) ?? [];
    assert.match(stack, /^SettingsError: [^]*PARLEY_NO_SUCH/);
    assert.match(file ?? '', /\/core\/settings\/settings\.ts$/);
    assert.match(readFileSync(file!, 'utf8').split('\n')[Number(line) - 1] ?? '', /throw new SettingsError/);
    assert.match(stack, /at .*\[eval1\]:5:/, 'a file outside of Parley has its own lines');
  });
});
