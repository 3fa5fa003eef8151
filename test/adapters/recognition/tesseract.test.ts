import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { Tesseract } from '../../../adapters/recognition/tesseract.ts';
import { chooseTesseractLanguages } from '../../../adapters/recognition/tesseract-languages.ts';
import { readTesseractTable } from '../../../adapters/recognition/read-tesseract-table.ts';
import { RecognitionFailure } from '../../../adapters/recognition/text-recognizer.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { skipWithoutTesseract } from '../../support/tesseract.ts';

const picture = { width: 2, height: 1, pixels: Uint8Array.of(0, 255) };
const options = { languages: ['de'], timeoutMs: 30_000, signal: new AbortController().signal };

describe('Tesseract', () => {
  const folder = makeTemporaryFolder();
  after(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * Creates a fake Tesseract program that lists English, German and the detection of orientation. For any
   * other call, it runs a script.
   */
  function createProgram(name: string, script: string): string {
    const path = join(folder, name);
    const list = '[ "$1" = --list-langs ] && printf \'List of languages:\\neng\\ndeu\\nosd\\n\' && exit 0\n';
    writeFileSync(path, `#!/bin/sh\n${list}${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  const recognize = (program: string, changes: Partial<typeof options> = {}) =>
    new Tesseract(program).recognize(picture, { ...options, ...changes });

  async function assertFails(reading: Promise<unknown>, message: string, isFinal: boolean): Promise<void> {
    await assert.rejects(reading, (error) => {
      assert.ok(error instanceof RecognitionFailure);
      assert.deepEqual([error.message, error.isFinal], [message, isFinal]);
      return true;
    });
  }

  it('passes the picture, but no environment variables of the process except PATH', async () => {
    const log = join(folder, 'log');
    const program = createProgram(
      'log',
      `echo "$@" > ${log}; od -An -tx1 | tr -d '\\n' >> ${log}; env >> ${log}`,
    );
    process.env['PARLEY_MASTER_KEY_OF_TEST'] = 'secret';
    assert.deepEqual(await recognize(program), []);
    delete process.env['PARLEY_MASTER_KEY_OF_TEST'];
    const [args, bytes, ...environment] = readFileSync(log, 'utf8').replace(' ff', ' ff\n').split('\n');
    assert.equal(args, 'stdin stdout -l deu --psm 1 -c tessedit_create_tsv=1');
    assert.equal(Buffer.from(bytes!.replaceAll(' ', ''), 'hex').toString('latin1'), 'P5\n2 1\n255\n\0ÿ');
    const names = environment
      .map((line) => line.split('=')[0])
      .filter((name) => !['', 'PWD', '_', 'SHLVL', 'OLDPWD'].includes(name!));
    assert.deepEqual(names.sort(), ['LC_ALL', 'OMP_THREAD_LIMIT', 'PATH']);
    assert.ok(environment.includes('OMP_THREAD_LIMIT=1'));
  });

  it('fails with the path of the program if it is not installed', async () => {
    await assertFails(recognize(join(folder, 'absent')), `${join(folder, 'absent')} is not installed`, true);
  });

  it('fails without any language', async () => {
    const path = join(folder, 'empty');
    writeFileSync(path, '#!/bin/sh\necho "List of languages:"\n', { mode: 0o755 });
    await assertFails(recognize(path), 'tesseract has no language installed', true);
  });

  it('kills the program at the deadline', async () => {
    const mark = join(folder, 'mark');
    const program = createProgram(
      'slow',
      `exec 2>/dev/null; for i in 1 2 3 4 5 6 7 8 9; do sleep 0.3; done; touch ${mark}`,
    );
    await assertFails(recognize(program, { timeoutMs: 1000 }), 'a page took longer than 1 seconds', false);
    await sleep(3000);
    assert.equal(existsSync(mark), false);
  });

  it('kills the program if the caller cancels', async () => {
    const cancelled = new Error('cancelled');
    const controller = new AbortController();
    const reading = recognize(createProgram('waiting', 'exec sleep 60'), { signal: controller.signal });
    setTimeout(() => controller.abort(cancelled), 300);
    await assert.rejects(reading, cancelled);
  });

  it('fails for a page with too much text, and for a program that fails', async () => {
    await assertFails(recognize(createProgram('endless', 'exec yes')), 'a page has too much text', false);
    await assertFails(recognize(createProgram('broken', 'exit 3')), 'tesseract ended with an error', false);
  });

  describe('installed on this machine', () => {
    before(skipWithoutTesseract);

    it('reads no text from a blank page', async () => {
      const blank = { width: 400, height: 300, pixels: new Uint8Array(120_000).fill(255) };
      assert.deepEqual(await new Tesseract().recognize(blank, options), []);
    });

    it('lists its languages', async () => {
      const languages = await new Tesseract().listLanguages();
      assert.deepEqual([languages.includes('deu'), languages.includes('osd')], [true, false]);
    });
  });
});

describe('chooseTesseractLanguages', () => {
  const installed = ['eng', 'deu', 'osd'];

  it('chooses the requested languages that are installed', () => {
    assert.deepEqual(chooseTesseractLanguages(['de-AT', 'en', 'fr'], installed), ['deu', 'eng']);
    assert.deepEqual(chooseTesseractLanguages(['zh-TW'], ['chi_sim', 'chi_tra']), ['chi_tra']);
    assert.deepEqual(chooseTesseractLanguages(['zh'], ['chi_sim', 'chi_tra']), ['chi_sim']);
  });

  it('chooses three languages at most', () => {
    const many = ['eng', 'deu', 'fra', 'spa', 'osd'];
    assert.deepEqual(chooseTesseractLanguages(['es', 'fr', 'de', 'en'], many), ['spa', 'fra', 'deu']);
  });

  it('falls back to up to three installed languages, and otherwise to English or the first installed language', () => {
    assert.deepEqual(chooseTesseractLanguages(['auto'], installed), ['eng', 'deu']);
    assert.deepEqual(chooseTesseractLanguages(['auto'], ['deu', 'eng', 'fra', 'spa']), ['eng']);
    assert.deepEqual(chooseTesseractLanguages([], ['deu', 'fra', 'ita', 'spa']), ['deu']);
    assert.deepEqual(chooseTesseractLanguages(['de'], ['osd']), []);
  });
});

describe('readTesseractTable', () => {
  const row = (place: string, box: string, confidence: number, text: string) =>
    `5 1 ${place} 1 ${box} ${confidence}`.replaceAll(' ', '\t') + `\t${text}`;
  const read = (...rows: string[]) =>
    readTesseractTable(['level\t…', ...rows, ''].join('\n'), { width: 200, height: 100 });

  it('joins words into lines, and marks paragraphs and columns', () => {
    assert.deepEqual(
      read(
        row('1 1 1', '10 10 40 10', 96, 'Opening'),
        row('1 1 1', '60 10 40 10', 95, 'hours'),
        row('1 1 2', '10 30 20 10', 91, 'daily'),
        row('1 2 1', '10 70 140 10', 90, 'Closed'),
      ),
      [
        { text: 'Opening hours', right: 0.5, columnRight: 0.75, relativeHeight: 0.8, startsParagraph: true },
        { text: 'daily', right: 0.15, columnRight: 0.75, relativeHeight: 0.6, startsParagraph: false },
        { text: 'Closed', right: 0.75, columnRight: 0.75, relativeHeight: 0.2, startsParagraph: true },
      ],
    );
  });

  it('omits words that are probably drawings, and lines without letters', () => {
    assert.deepEqual(read(row('1 1 1', '0 0 9 9', 12, 'ii'), row('1 1 2', '0 20 9 9', 88, '—|')), []);
  });

  it('joins words of scripts without spaces', () => {
    const lines = read(
      row('1 1 1', '0 0 9 9', 90, '港口'),
      row('1 1 1', '9 0 9 9', 90, '六点'),
      row('1 1 1', '20 0 9 9', 90, 'VIP'),
    );
    assert.equal(lines[0]?.text, '港口六点 VIP');
  });

  it('returns only 100 of 200 lines of 999 characters', () => {
    const rows = Array.from({ length: 200 }, (_, line) => row(`1 1 ${line}`, '0 0 9 9', 90, 'x'.repeat(999)));
    assert.equal(read(...rows).length, 100);
  });
});
