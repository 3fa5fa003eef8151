import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('tesseract', ['--list-langs'], { encoding: 'utf8' });

/** Skips a test, with the reason in its title, if the program tesseract or its data for German is not installed. */
export function skipWithoutTesseract(this: Mocha.Context): void {
  if (/^deu$/m.test(stdout)) return;
  for (const test of this.test?.parent?.tests ?? [])
    test.title += ' (skipped: needs the packages tesseract-ocr and tesseract-ocr-deu)';
  this.skip();
}
