import { makeFolder } from '../../scripts/launcher/temporary-parley.ts';

/** A new folder; under the global set-up it lies in a folder that goes when all tests have run. */
export function makeTemporaryFolder(): string {
  return makeFolder(process.env['TEST_FOLDER']);
}
