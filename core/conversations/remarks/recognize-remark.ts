import { removeUrlsAndEmails } from '../../text/remove-urls-and-emails.ts';
import type { TextLanguage } from '../answer-texts.ts';
import { chooseMostSpecific, PhraseBook, type ClauseMeaning } from './phrase-book.ts';
import { german } from './phrases/de.ts';
import { english } from './phrases/en.ts';
import { spanish } from './phrases/es.ts';
import { french } from './phrases/fr.ts';
import { italian } from './phrases/it.ts';
import { dutch } from './phrases/nl.ts';
import { portuguese } from './phrases/pt.ts';
import {
  otherLanguages,
  QUESTION_WITHOUT_SPACES,
  REQUEST_WITHOUT_SPACES,
} from './phrases/other-languages.ts';
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

const otherBooks = otherLanguages.map((phrases) => new PhraseBook(phrases));

/** Matches a visitor's message of one repeated letter, or of a long word without a vowel. */
const RANDOM_KEYS = /^\s*(?:(\p{L})\1{4,}|[bcdfghjklmnpqrstvwxz]{6,})\s*$/iu;

/** Matches a visitor's attempts to change or reveal the bot's instructions. */
const INSTRUCTIONS =
  /\b(?:ignor|vergiss|forget|disregard|oubli|olvid|dimentic|vergeet|negeer|esque)\p{L}*\b.{0,40}\b(?:instru|instrukt|anweisung|istruzion|rules|regeln|r[eè]gles|reglas|regole|regels|regras)|\bsystem ?prompt|\bprompt (?:syst|d[eio]l? sist)/iu;
const MAX_INSTRUCTION_CHARS = 500;

/** Maximum number of characters in a visitor's message that may consist of contact details only. */
const MAX_DETAILS_CHARS = 300;
const MIN_PHONE_DIGITS = 7;

/**
 * Recognizes small talk and requests for a person in the widget's languages, also with typing errors. Small
 * talk counts only if the message says nothing else; a request for a person counts even among other
 * sentences.
 * @param isFirst whether the message is the visitor's first: "ciao" is then a greeting, and later a goodbye
 * @returns null for any other message
 */
export function recognizeRemark(message: string, { isFirst = true } = {}): Remark | null {
  if (!/[\p{L}\p{N}]/u.test(message)) return { kind: 'unclear', languages: [], isCertain: true };
  if (RANDOM_KEYS.test(message)) return { kind: 'unclear', languages: [], isCertain: false };
  if (message.length <= MAX_INSTRUCTION_CHARS && INSTRUCTIONS.test(message))
    return { kind: 'asks_abilities', languages: [], isCertain: false };
  const text = message.length > MAX_DETAILS_CHARS ? message : removeUrlsAndEmails(message);
  if (!/\p{L}/u.test(text))
    return {
      kind: hasContactDetails(message) ? 'gives_details' : 'unclear',
      languages: [],
      isCertain: false,
    };
  const clauses = splitIntoClauses(text);
  if (clauses.length === 0) return null;
  const readings = (Object.keys(books) as TextLanguage[]).flatMap((language) => {
    const meaning = readClauses(books[language], clauses);
    return meaning ? [{ language, ...meaning }] : [];
  });
  const best =
    readings.find(({ kind, isCertain }) => isCertain && kind === 'wants_person') ??
    readings.find(({ isCertain }) => isCertain) ??
    readings[0];
  if (!best) return recognizeOtherLanguage(message, clauses);
  // "Phone number" alone asks for the contact details of the team.
  if (best.kind === 'gives_details' && text === message && !hasContactDetails(message)) return null;
  const { isCertain } = best;
  const languages = readings
    .filter((reading) => reading.kind === best.kind && reading.isCertain === isCertain)
    .map(({ language }) => language);
  const either = isFirst ? 'greeting' : 'goodbye';
  return { kind: best.kind === 'greeting_or_goodbye' ? either : best.kind, languages, isCertain };
}

/**
 * Recognizes visitors' greetings, thanks and requests for a person in languages in which the bot has no
 * texts.
 */
function recognizeOtherLanguage(message: string, clauses: readonly string[][]): Remark | null {
  const asksForPerson = REQUEST_WITHOUT_SPACES.test(message) && !QUESTION_WITHOUT_SPACES.test(message);
  if (asksForPerson) return { kind: 'wants_person', languages: [], isCertain: true };
  for (const book of otherBooks) {
    const meaning = readClauses(book, clauses);
    if (meaning && meaning.kind !== 'greeting_or_goodbye')
      return { ...meaning, kind: meaning.kind, languages: [] };
  }
  return null;
}

function readClauses(book: PhraseBook, clauses: readonly string[][]): ClauseMeaning | null {
  const meanings = clauses.filter((words) => !book.isFiller(words)).map((words) => book.readClause(words));
  const request = meanings.find((meaning) => meaning?.kind === 'wants_person');
  if (request) return request;
  const knownMeanings = meanings.filter((meaning) => meaning !== null);
  const kind = chooseMostSpecific(new Set(knownMeanings.map((meaning) => meaning.kind)));
  if (kind === null || knownMeanings.length < meanings.length) return readJoined(book, clauses);
  return { kind, isCertain: knownMeanings.every(({ isCertain }) => isCertain) };
}

/**
 * Reads a request for a person with a relative clause, such as "Do you have someone, with whom I can talk?".
 */
function readJoined(book: PhraseBook, clauses: readonly string[][]): ClauseMeaning | null {
  if (clauses.length !== 2) return null;
  const meaning = book.readClause(clauses.flat());
  return meaning?.kind === 'wants_person' && meaning.isCertain ? meaning : null;
}

function hasContactDetails(message: string): boolean {
  if (/\S@\S/.test(message)) return true;
  const isDate = /\d{4}-\d{2}-\d{2}/.test(message);
  return !isDate && !message.includes('/') && (message.match(/\d/g) ?? []).length >= MIN_PHONE_DIGITS;
}
