import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { listSourceFiles } from '../support/source-files.ts';

type Listing = 'listDefaultTests' | 'listSoakTests';

/** Calls a function of scripts/list-tests.mjs, which tests cannot import because it is not compiled. */
function list(name: Listing): string[] {
  const program = `import('./scripts/list-tests.mjs').then((m) => console.log(JSON.stringify(m.${name}())))`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as string[];
}

describe('the files of a test run', () => {
  const all = listSourceFiles(['test'], /\.test\.ts$/);

  it('are all files outside test/soak/ for npm test, each once', () => {
    assert.deepEqual(list('listDefaultTests').toSorted(), all.filter((file) => !isSoak(file)).toSorted());
  });

  it('are all files of test/soak/ for npm run test:soak, and those that npm test runs only in part', () => {
    const inPart = /\b(itInSoak|isInSoak|selectCases|selectSample)\b/;
    const expected = all.filter((file) => isSoak(file) || inPart.test(readFileSync(file, 'utf8')));
    assert.ok(expected.includes('test/contract/validation.test.ts'));
    assert.deepEqual(
      list('listSoakTests').filter((file) => file !== 'test/launcher/list-tests.test.ts'),
      expected.filter((file) => file !== 'test/launcher/list-tests.test.ts').toSorted(),
    );
  });
});

function isSoak(file: string): boolean {
  return file.startsWith('test/soak/');
}
