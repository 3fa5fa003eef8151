// Lists the tests of each run. Only uses Node.js, because packages and the build may be missing.
import { readdirSync, readFileSync } from 'node:fs';

/** The longest tests run first, so that the end of a run does not wait for them. */
const FIRST_TESTS = ['test/docs/guides.test.ts', 'test/launcher/start.test.ts'];
/** Matches files that leave some tests to the soak run. */
const LEAVES_TESTS = /\/(it-in-soak|select-sample)\.ts'/;

/**
 * Returns the tests of `npm test`. The list is not in Mocha's configuration, because Mocha would also run it if files
 * are named. Tests of processes and workflows mostly wait, so each is followed by a test that needs CPU time.
 */
export function listDefaultTests() {
  const waits = /^test\/(launcher|observability|webhooks|worker)\/|\.workflow\.test\.ts$/;
  const files = listTests('test').filter(
    (file) => !file.startsWith('test/soak/') && !FIRST_TESTS.includes(file),
  );
  const working = files.filter((file) => !waits.test(file));
  const waiting = [...FIRST_TESTS, ...files.filter((file) => waits.test(file))];
  return [...waiting.flatMap((file) => [file, ...working.splice(0, 1)]), ...working];
}

/** Returns the tests of `npm run test:soak`: those of one folder, and files that leave some tests to it. */
export function listSoakTests() {
  return listTests('test').filter(
    (file) => file.startsWith('test/soak/') || LEAVES_TESTS.test(readFileSync(file, 'utf8')),
  );
}

/** Returns the tests that take screenshots for the documentation if `SCREENSHOTS` is set. */
export function listTestsWithPictures() {
  return ['test/browser', 'test/console', 'test/soak', 'test/widget']
    .flatMap(listTests)
    .filter((file) => readFileSync(file, 'utf8').includes('support/pictures.ts'));
}

function listTests(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.test.ts'));
  return names.map((name) => `${folder}/${name}`).sort();
}
