import { execFile, type ExecFileException } from 'node:child_process';
import { chooseTesseractLanguages, ORIENTATION } from './tesseract-languages.ts';
import { readTesseractTable } from './read-tesseract-table.ts';
import {
  RecognitionFailure,
  type PagePicture,
  type RecognitionOptions,
  type RecognizedLine,
  type TextRecognizer,
} from './text-recognizer.ts';

interface RunOptions {
  input?: readonly Uint8Array[];
  timeoutMs: number;
  signal?: AbortSignal;
}

const LIST_TIMEOUT_MS = 10_000;
/**
 * Maximum size of tesseract's output for a page, in bytes. A page full of small print has a tenth of this
 * size.
 */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
/** Page segmentation modes of tesseract: columns and paragraphs, with or without detecting rotated pages. */
const WITH_ORIENTATION = '1';
const WITHOUT_ORIENTATION = '3';

/**
 * Recognizes text with the program `tesseract` of the operating system. Pictures and texts go through pipes, so that
 * no files remain. The program gets no secrets from the environment, and one CPU core.
 */
export class Tesseract implements TextRecognizer {
  readonly #program: string;
  #installed: Promise<string[]> | undefined;

  constructor(program = 'tesseract') {
    this.#program = program;
  }

  async recognize(
    picture: PagePicture,
    { languages, timeoutMs, signal }: RecognitionOptions,
  ): Promise<RecognizedLine[]> {
    const installed = await this.#listInstalled();
    const chosenLanguages = chooseTesseractLanguages(languages, installed);
    if (chosenLanguages.length === 0)
      throw new RecognitionFailure('tesseract has no language installed', true);
    const mode = installed.includes(ORIENTATION) ? WITH_ORIENTATION : WITHOUT_ORIENTATION;
    const output = ['-c', 'tessedit_create_tsv=1'];
    const table = await this.#run(
      ['stdin', 'stdout', '-l', chosenLanguages.join('+'), '--psm', mode, ...output],
      {
        input: toPortableGraymap(picture),
        timeoutMs,
        signal,
      },
    );
    return readTesseractTable(table, picture);
  }

  async listLanguages(): Promise<string[]> {
    return (await this.#listInstalled()).filter((name) => name !== ORIENTATION);
  }

  #listInstalled(): Promise<string[]> {
    this.#installed ??= this.#run(['--list-langs'], { timeoutMs: LIST_TIMEOUT_MS })
      .then((output) =>
        output
          .split('\n')
          .slice(1)
          .map((name) => name.trim())
          .filter(Boolean),
      )
      .catch((error: unknown) => {
        this.#installed = undefined;
        throw error;
      });
    return this.#installed;
  }

  #run(args: string[], { input = [], timeoutMs, signal }: RunOptions): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = execFile(
        this.#program,
        args,
        {
          env: selectEnvironment(),
          maxBuffer: MAX_OUTPUT_BYTES,
          timeout: timeoutMs,
          killSignal: 'SIGKILL',
          ...(signal && { signal }),
        },
        (error, stdout) => {
          if (!error) resolve(stdout);
          else reject(signal?.aborted ? signal.reason : this.#describeFailure(error, timeoutMs));
        },
      );
      // Ignore errors of writing: the program may end before it has read everything, and its exit code says
      // why.
      child.stdin?.on('error', () => {});
      for (const part of input) child.stdin?.write(part);
      child.stdin?.end();
    });
  }

  #describeFailure(error: ExecFileException, timeoutMs: number): RecognitionFailure {
    const cause = { cause: error };
    if (error.code === 'ENOENT' || error.code === 'EACCES')
      return new RecognitionFailure(`${this.#program} is not installed`, true, cause);
    if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
      return new RecognitionFailure('a page has too much text', false, cause);
    if (error.killed)
      return new RecognitionFailure(
        `a page took longer than ${Math.round(timeoutMs / 1000)} seconds`,
        false,
        cause,
      );
    return new RecognitionFailure('tesseract ended with an error', false, cause);
  }
}

/**
 * Returns the environment variables of the program tesseract: the locations of the program and its languages,
 * and the limit of one thread.
 */
function selectEnvironment(): Record<string, string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', TESSDATA_PREFIX: languageFolder } = process.env;
  return {
    PATH,
    LC_ALL: 'C.UTF-8',
    OMP_THREAD_LIMIT: '1',
    ...(languageFolder && { TESSDATA_PREFIX: languageFolder }),
  };
}

/** Returns the page's picture in PGM format, which needs no compression. */
function toPortableGraymap({ width, height, pixels }: PagePicture): Uint8Array[] {
  return [Buffer.from(`P5\n${width} ${height}\n255\n`), pixels];
}
