// Fails where names or prose break the rules that a program can check: npm run lint:prose [-- --update | paths].
// The baseline counts the violations that are older than the rules. A count may shrink, which --update records, and never grow.
// With paths, it lists all violations below them.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { findUnknownSymbols, readCodeWords } from './prose/code-words.ts';
import { findViolations, type Finding } from './prose/rules.ts';
import { readMarkdown, readTranslations, readTypeScript, type Text } from './prose/read-texts.ts';

const BASELINE = 'scripts/prose/baseline.json';
const EXCLUDED =
  /^(docs\/releases|docs\/screenshots|test\/fixtures|test\/replay\/histories|database\/migrations|sdk\/.*\/generated|CHANGELOG\.md|test\/docs\/lint-prose\.test\.ts)|\.d\.ts$/;

/** Violations by file, then by rule. */
type Counts = Record<string, Record<string, number>>;

const args = process.argv.slice(2);
const isUpdate = args.includes('--update');
const paths = args.filter((arg) => !arg.startsWith('--'));
const baseline = JSON.parse(readFileSync(BASELINE, 'utf8')) as Counts;
const counts: Counts = {};
let failures = 0;
/** Files of the baseline with more violations than it counts. */
const grown = new Set<string>();
const codeWords = new Set(
  listTracked('*.ts', '*.tsx', '*.json', '*.sql', '*.py', '*.mjs').flatMap(readCodeWords),
);
for (const file of listFiles()) {
  const texts = readTexts(file);
  const findings = [...findViolations(texts), ...findUnknownSymbols(texts, codeWords)];
  if (findings.length > 0) counts[file] = countByRule(findings);
  const allowed = baseline[file] ?? {};
  const isNamed = paths.some((path) => file.startsWith(path));
  for (const [rule, count] of Object.entries(counts[file] ?? {})) {
    if (count <= (allowed[rule] ?? 0) && !isNamed) continue;
    failures += 1;
    if (file in baseline && count > (allowed[rule] ?? 0)) grown.add(file);
    for (const { line, message, text } of findings.filter((finding) => finding.rule === rule))
      console.error(`${file}:${line} ${rule}: ${message}\n    ${text.slice(0, 160)}`);
  }
}
if (isUpdate) {
  if (grown.size > 0) stopWith(`The baseline may only shrink: ${[...grown].join(', ')}`);
  if (total(counts) > total(baseline))
    stopWith(`The baseline may only shrink: ${total(baseline)} before, ${total(counts)} now.`);
  // Writes one line for each file, so that changes of different files merge.
  const lines = Object.entries(counts).map(
    ([file, byRule]) => `${JSON.stringify(file)}: ${JSON.stringify(byRule)}`,
  );
  writeFileSync(BASELINE, `{\n${lines.join(',\n')}\n}\n`);
} else {
  const isStale = Object.entries(baseline).some(([file, byRule]) =>
    Object.entries(byRule).some(([rule, count]) => count > (counts[file]?.[rule] ?? 0)),
  );
  if (failures > 0) process.exitCode = 1;
  else if (isStale && paths.length === 0)
    stopWith('There are fewer violations than the baseline counts: npm run lint:prose -- --update');
}
console.log(`${total(counts)} violations, ${total(baseline)} in the baseline.`);

function listFiles(): string[] {
  return listTracked('*.ts', '*.tsx', '*.md', 'widget/languages/*.json').filter(
    (file) => !EXCLUDED.test(file),
  );
}

function listTracked(...patterns: string[]): string[] {
  const { stdout } = spawnSync('git', ['ls-files', ...patterns], { encoding: 'utf8' });
  return stdout.trim().split('\n');
}

function readTexts(file: string): Text[] {
  if (file.endsWith('.md')) return readMarkdown(file);
  return file.endsWith('.json') ? readTranslations(file) : readTypeScript(file);
}

function countByRule(findings: readonly Finding[]): Record<string, number> {
  const byRule: Record<string, number> = {};
  for (const { rule } of findings) byRule[rule] = (byRule[rule] ?? 0) + 1;
  return byRule;
}

function total(each: Counts): number {
  return Object.values(each)
    .flatMap((byRule) => Object.values(byRule))
    .reduce((sum, count) => sum + count, 0);
}

function stopWith(message: string): never {
  console.error(message);
  process.exit(1);
}
