import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { listSourceFiles } from '../support/source-files.ts';

/** Folders with code that runs in servers, workers and browsers. */
const FOLDERS =
  'activities adapters api browser console core database entities repositories sdk/typescript/src services widget worker workflows';
/**
 * Matches a back-reference of a regular expression. Strings and templates have no such escape, so that only
 * regular expressions match.
 */
const BACK_REFERENCE = /\\(?:[1-9]|k<)/g;

/**
 * Number of regular expressions in a file whose back-reference repeats one or two characters, or matches a
 * text of limited length.
 */
const BOUNDED: Record<string, number> = {
  // The back-references match a quotation mark and, in another expression, three characters, in texts of at
  // most 4,096 characters.
  'adapters/extraction/read-text.ts': 2,
  // The back-reference matches the name of an HTML tag.
  'core/answers/citation-notes.ts': 1,
  // The back-references match two characters in one expression, and one character in the other.
  'core/answers/text-units.ts': 2,
  // The back-reference matches one character.
  'browser/markdown-blocks.ts': 1,
  // Each back-reference in the expressions of these two files matches one character.
  'core/conversations/remarks/recognize-remark.ts': 1,
  'core/conversations/remarks/split-into-clauses.ts': 1,
  // The back-reference matches one character.
  'core/text/authority-claims.ts': 1,
  // The back-reference of the expression matches at most six characters, in a password of limited length.
  'services/accounts/passwords/passwords.ts': 1,
};

describe('regular expressions', () => {
  it('have no back-reference to a group of unlimited length, which would take quadratic time', () => {
    const found = listSourceFiles(FOLDERS.split(' '), /(?<!\.d)\.tsx?$/).flatMap((path) => {
      const count = readFileSync(path, 'utf8').match(BACK_REFERENCE)?.length ?? 0;
      return count > 0 ? [[path, count] as const] : [];
    });
    assert.deepEqual(Object.fromEntries(found), BOUNDED);
  });
});
