// Checks names, comments and documentation against the automated writing rules: npm run lint:prose [--
// paths].
import { spawnSync } from 'node:child_process';
import { findUnknownSymbols, readCodeWords } from './prose/code-words.ts';
import { readMarkdown, readTranslations, readTypeScript, type Text } from './prose/read-texts.ts';
import { findViolations } from './prose/rules.ts';

/**
 * Pattern of the files that the check excludes: generated files, recorded files, visitors' phrases, and tests
 * that quote fixtures.
 */
const EXCLUDED =
  /^(docs\/releases|docs\/screenshots|test\/fixtures|test\/replay\/histories|database\/migrations|sdk\/.*\/generated|core\/conversations\/remarks\/phrases|CHANGELOG\.md|test\/docs\/lint-prose\.test\.ts|test\/adapters\/extraction\/extract\.test\.ts)|\.d\.ts$/;

const paths = process.argv.slice(2);
const codeWords = new Set(
  listTracked('*.ts', '*.tsx', '*.json', '*.sql', '*.py', '*.mjs').flatMap(readCodeWords),
);
const files = listTracked('*.ts', '*.tsx', '*.md', 'widget/languages/*.json').filter(
  (file) => !EXCLUDED.test(file) && (paths.length === 0 || paths.some((path) => file.startsWith(path))),
);
let violations = 0;
for (const file of files) {
  const texts = readTexts(file);
  for (const { line, rule, message, text } of [
    ...findViolations(texts),
    ...findUnknownSymbols(texts, codeWords),
  ]) {
    violations += 1;
    console.error(`${file}:${line} ${rule}: ${message}\n    ${text.slice(0, 160)}`);
  }
}
console.log(`${files.length} files, ${violations} violations.`);
process.exitCode = violations > 0 ? 1 : 0;

function listTracked(...patterns: string[]): string[] {
  const { stdout } = spawnSync('git', ['ls-files', ...patterns], { encoding: 'utf8' });
  return stdout.trim().split('\n');
}

function readTexts(file: string): Text[] {
  if (file.endsWith('.md')) return readMarkdown(file);
  return file.endsWith('.json') ? readTranslations(file) : readTypeScript(file);
}
