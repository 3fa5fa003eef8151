import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { sourceFiles } from '../support/source-files.ts';

/** Folders of what runs in servers, workers and browsers. */
const FOLDERS =
  'activities adapters api browser console core database entities repositories sdk/typescript/src services widget worker workflows';
/** Strings and templates have no such escape, so that patterns alone contain it. */
const BACK_REFERENCE = /\\(?:[1-9]|k<)/g;

/** Patterns whose back-reference repeats one or two characters, or reads a text that is at most as long as the comment says. */
const BOUNDED: Record<string, number> = {
  // A quotation mark, in a line of 4,096 characters.
  'adapters/extraction/read-text.ts': 1,
  // Two characters, and one.
  'core/answers/text-units.ts': 2,
  // One character.
  'browser/markdown-blocks.ts': 1,
  // One character.
  'core/text/authority-claims.ts': 1,
  // At most six characters, in a password that is not longer than a pattern may be.
  'services/accounts/passwords.ts': 1,
};

describe('regular expressions', () => {
  it('have no back-reference to a text without bounds, which they would compare again at each position', () => {
    const found = sourceFiles(FOLDERS.split(' '), /(?<!\.d)\.tsx?$/).flatMap((path) => {
      const count = readFileSync(path, 'utf8').match(BACK_REFERENCE)?.length ?? 0;
      return count > 0 ? [[path, count] as const] : [];
    });
    assert.deepEqual(Object.fromEntries(found), BOUNDED);
  });
});
