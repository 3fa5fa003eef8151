import { existsSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import type { Finding } from './rules.ts';
import type { Text } from './read-texts.ts';

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Pattern of code that a comment quotes: an identifier, a call, or several identifiers joined by dots. */
const SYMBOL = /^[\w$.]+(\(.*\))?$/;
/** Matches a file's path, relative to the project's root. */
const PATH = /^[\w-]+(\/[\w.-]+)+\.(ts|tsx|mjs|md|csv|json|sql)$/;
/** Names from other software or standards that comments may mention, with their origin. */
const FOREIGN_WORDS: Readonly<Record<string, string>> = {
  EN_us: 'a misspelled BCP 47 tag',
  OTEL_RESOURCE_ATTRIBUTES: 'OpenTelemetry',
  OTEL_SERVICE_NAME: 'OpenTelemetry',
  _x000D_: 'Office Open XML',
  deadlock_timeout: 'PostgreSQL',
  rand_a: 'RFC 9562',
  shutdownForceTime: 'Temporal’s SDK',
};

/** Returns all words of a file's code: identifiers and words in strings, but not in comments. */
export function readCodeWords(path: string): string[] {
  const source = readFileSync(path, 'utf8');
  return (/\.tsx?$/.test(path) ? withoutComments(path, source) : source).match(WORD) ?? [];
}

/** Finds names and paths between backticks in comments that exist neither in the code nor as files. */
export function findUnknownSymbols(texts: readonly Text[], codeWords: ReadonlySet<string>): Finding[] {
  return texts
    .filter(({ kind }) => kind === 'comment' || kind === 'tag')
    .flatMap(({ line, text }) =>
      [...text.matchAll(/`([^`]+)`/g)]
        .flatMap(([, code = '']) => listUnknown(code, codeWords))
        .map((name) => ({ rule: 'symbol', line, message: `no code has ${name}`, text })),
    );
}

function listUnknown(code: string, codeWords: ReadonlySet<string>): string[] {
  if (PATH.test(code)) return existsSync(code) ? [] : [code];
  if (!SYMBOL.test(code)) return [];
  const words = code.replace(/\(.*/, '').match(WORD) ?? [];
  return words.filter((word) => word.length > 2 && !codeWords.has(word) && !(word in FOREIGN_WORDS));
}

function withoutComments(path: string, source: string): string {
  const { comments } = parseSync(path, source);
  const ends = [0, ...comments.map(({ end }) => end)];
  const starts = [...comments.map(({ start }) => start), source.length];
  return starts.map((start, index) => source.slice(ends[index], start)).join(' ');
}
