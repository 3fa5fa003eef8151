import type { TextLanguage } from '../answer-texts.ts';
import { chooseMostSpecific, PhraseBook, type ClauseMeaning } from './phrase-book.ts';
import { german } from './phrases/de.ts';
import { english } from './phrases/en.ts';
import { spanish } from './phrases/es.ts';
import { french } from './phrases/fr.ts';
import { italian } from './phrases/it.ts';
import { dutch } from './phrases/nl.ts';
import { portuguese } from './phrases/pt.ts';
import type { Remark } from './remark.ts';
import { splitIntoClauses } from './split-into-clauses.ts';

const books: Record<TextLanguage, PhraseBook> = {
  en: new PhraseBook(english),
  de: new PhraseBook(german),
  es: new PhraseBook(spanish),
  fr: new PhraseBook(french),
  it: new PhraseBook(italian),
  nl: new PhraseBook(dutch),
  pt: new PhraseBook(portuguese),
};

/** Matches a message of one repeated letter, or of a long word without a vowel. */
const RANDOM_KEYS = /^\s*(?:(\p{L})\1{4,}|[bcdfghjklmnpqrstvwxz]{6,})\s*$/iu;

/**
 * Texts with which every pattern is compiled. V8 compiles a pattern once for texts of Latin-1 characters and
 * once for texts with other characters.
 */
const COMPILED_TEXTS = ['i want to talk to', 'i want to talk to €'];

/**
 * Compiles the patterns of all languages, which holds the event loop for up to 0.3 s. Without this call, the
 * first message would compile them.
 */
export function compilePatterns(): void {
  // V8 compiles to machine code on the second use.
  for (let uses = 0; uses < 2; uses += 1) for (const text of COMPILED_TEXTS) recognizeRemark(text);
}

/**
 * Recognizes small talk and requests for a person in the widget's languages, also with typing errors. Small
 * talk counts only if the message says nothing else; a request for a person counts even among other
 * sentences.
 * @returns null for any other message
 */
export function recognizeRemark(message: string): Remark | null {
  if (!/[\p{L}\p{N}]/u.test(message)) return { kind: 'unclear', languages: [], isCertain: true };
  if (RANDOM_KEYS.test(message)) return { kind: 'unclear', languages: [], isCertain: false };
  const clauses = splitIntoClauses(message);
  if (clauses.length === 0) return null;
  const readings = (Object.keys(books) as TextLanguage[]).flatMap((language) => {
    const meaning = readClauses(books[language], clauses);
    return meaning ? [{ language, ...meaning }] : [];
  });
  const best =
    readings.find(({ kind, isCertain }) => isCertain && kind === 'wants_person') ??
    readings.find(({ isCertain }) => isCertain) ??
    readings[0];
  if (!best) return null;
  const { kind, isCertain } = best;
  const languages = readings
    .filter((reading) => reading.kind === kind && reading.isCertain === isCertain)
    .map(({ language }) => language);
  return { kind, languages, isCertain };
}

function readClauses(book: PhraseBook, clauses: readonly string[][]): ClauseMeaning | null {
  const meanings = clauses.filter((words) => !book.isFiller(words)).map((words) => book.readClause(words));
  const request = meanings.find((meaning) => meaning?.kind === 'wants_person');
  if (request) return request;
  const knownMeanings = meanings.filter((meaning) => meaning !== null);
  const kind = chooseMostSpecific(new Set(knownMeanings.map((meaning) => meaning.kind)));
  if (kind === null || knownMeanings.length < meanings.length) return null;
  return { kind, isCertain: knownMeanings.every(({ isCertain }) => isCertain) };
}
