import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../scripts/cli/command-line.ts';
import { createTestDatabase, readTestTemporalAddress, type TestDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

describe('the doctor’s line about text recognition', () => {
  const folder = makeTemporaryFolder();
  const { PATH } = process.env;
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
    process.env['PATH'] = folder;
  });
  after(async () => {
    process.env['PATH'] = PATH;
    rmSync(folder, { recursive: true });
    await database.drop();
  });

  async function runDoctor(env: Record<string, string>): Promise<string> {
    const lines: string[] = [];
    const servers = { DATABASE_URL: database.url, TEMPORAL_ADDRESS: readTestTemporalAddress() };
    await runCommandLine(['doctor'], {
      env: { ...process.env, PARLEY_HOME: folder, ...servers, ...env },
      report: (line) => void lines.push(line),
      reportError: () => undefined,
    });
    return lines.join('\n');
  }
  const line = async (env: Record<string, string> = { PARLEY_OCR: 'tesseract' }) =>
    (await runDoctor(env)).split('\n')[8];

  it('says that text recognition is off if PARLEY_OCR is not set', async () => {
    assert.equal(await line({}), '✓ Text recognition: PARLEY_OCR is off, so the text of scans is not read');
  });

  it('says how to install tesseract if it is missing, and otherwise lists its languages', async () => {
    assert.equal(
      await line(),
      '✗ Text recognition: tesseract is not installed. Install it, for example by `apt-get install tesseract-ocr tesseract-ocr-deu` for English and German, or set PARLEY_OCR to off.',
    );
    const list = '#!/bin/sh\nprintf "List of languages:\\ndeu\\neng\\nosd\\n"\n';
    writeFileSync(join(folder, 'tesseract'), list, { mode: 0o755 });
    assert.equal(await line(), '✓ Text recognition: tesseract reads deu, eng');
  });
});
