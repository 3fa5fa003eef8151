import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Python packages that also read documents, with whose results the bench compares Parley's. */
export type PythonAnchor = 'trafilatura' | 'markitdown' | 'pypdf' | 'recurring_ical_events';

const MAX_OUTPUT_BYTES = 1024 ** 3;
const PYTHON = process.env['BENCH_PYTHON'] ?? 'python3';

/**
 * Reads files with a Python package; omits files that the package cannot read.
 * @returns results by path; undefined if the package is not installed for BENCH_PYTHON
 */
export function readWithPython<T>(
  anchor: PythonAnchor,
  paths: readonly string[],
): Map<string, T> | undefined {
  if (spawnSync(PYTHON, ['-c', `import ${anchor}`]).status !== 0) return undefined;
  const script = fileURLToPath(new URL('anchors.py', import.meta.url));
  const { stdout } = spawnSync(PYTHON, [script, anchor], {
    input: paths.join('\n'),
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: 'utf8',
  });
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  const results = lines.map((line) => JSON.parse(line) as { path: string; result?: T });
  return new Map(results.flatMap(({ path, result }) => (result === undefined ? [] : [[path, result]])));
}

/** Returns whether the program poppler finds words in a PDF; undefined if its `pdftotext` is not installed. */
export function hasWordsByPoppler(path: string): boolean | undefined {
  const { error, stdout } = spawnSync('pdftotext', ['-q', path, '-'], {
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: 'utf8',
    timeout: 30_000,
  });
  return error && 'code' in error && error.code === 'ENOENT' ? undefined : /\p{L}{2}/u.test(stdout);
}
