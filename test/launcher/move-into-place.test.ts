import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moveToCache } from '../support/make-once.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

describe('moveToCache', () => {
  const buildFolder = (name: string, content: string) => {
    const folder = join(makeTemporaryFolder(), name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'program'), content);
    return folder;
  };

  it('of two folders for one place keeps the first', () => {
    const place = join(makeTemporaryFolder(), 'tool-1.0');
    moveToCache(buildFolder('a', 'first'), place);
    moveToCache(buildFolder('b', 'second'), place);
    assert.deepEqual(readdirSync(place), ['program']);
    assert.equal(readFileSync(join(place, 'program'), 'utf8'), 'first');
  });

  it('without a folder throws the error of the file system', () => {
    const folder = makeTemporaryFolder();
    assert.throws(() => moveToCache(join(folder, 'missing'), join(folder, 'tool-1.0')), { code: 'ENOENT' });
  });
});
