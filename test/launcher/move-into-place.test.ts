import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moveIntoPlace } from '../../scripts/launcher/move-into-place.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

describe('moveIntoPlace', () => {
  const buildFolder = (name: string, content: string) => {
    const folder = join(makeTemporaryFolder(), name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'program'), content);
    return folder;
  };

  it('keeps the first of two folders that are moved concurrently', () => {
    const place = join(makeTemporaryFolder(), 'tool-1.0');
    moveIntoPlace(buildFolder('a', 'first'), place);
    moveIntoPlace(buildFolder('b', 'second'), place);
    assert.deepEqual(readdirSync(place), ['program']);
    assert.equal(readFileSync(join(place, 'program'), 'utf8'), 'first');
  });

  it('throws the error of the file system if the folder does not exist', () => {
    const folder = makeTemporaryFolder();
    assert.throws(() => moveIntoPlace(join(folder, 'missing'), join(folder, 'tool-1.0')), { code: 'ENOENT' });
  });
});
