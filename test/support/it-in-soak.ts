/** True in `npm run test:soak`, and in `npm test` if it is called with the names of test files. */
export const isInSoak = !process.env['TEST_WHOLE_RUN'];

/**
 * Registers a test that is slow or that varies another test. `npm test` skips it; `npm run test:soak` runs it, and so
 * does `npm test` with the name of its file.
 */
export function itInSoak(title: string, run: (this: Mocha.Context) => void | Promise<void>): void {
  if (isInSoak) it(title, run);
}

/**
 * Selects the cases for which a loop registers tests. In a whole `npm test` these are the first tests, of
 * which the other tests are variants; otherwise all tests.
 */
export function selectCases<T>(cases: readonly T[], firstOnes: number): readonly T[] {
  return isInSoak ? cases : cases.slice(0, firstOnes);
}
