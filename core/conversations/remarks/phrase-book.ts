import { groupItems } from '../../group-items.ts';
import { clauseRules, type ClauseClass } from './clause-rules.ts';
import { differsByOneEdit } from './differs-by-one-edit.ts';
import { smallTalkKinds, type LanguagePhrases, type SmallTalkKind } from './phrases/language-phrases.ts';
import { wordClasses } from './phrases/words/chat-words.ts';

/**
 * Minimum number of characters in a word that can count as misspelled. Shorter words are too similar to other
 * words.
 */
const MIN_MISSPELLED_LENGTH = 4;
const MAX_CORRECTED_WORDS = 12;
/** Maximum number of words that give the reason after a thank-you, such as "for the quick reply". */
const MAX_REASON_WORDS = 10;
const MAX_NAME_WORDS = 3;

/**
 * Kinds of phrases. `greeting_or_goodbye` is a phrase with which visitors both arrive and leave, such as
 * "salut".
 */
type PhraseKind = SmallTalkKind | 'greeting_or_goodbye';

/** Meaning of a clause of a visitor's message. */
export interface ClauseMeaning {
  kind: PhraseKind | 'wants_person';
  /** False if misspelled words were corrected, so that the clause may mean something else. */
  isCertain: boolean;
}

/** Kinds of phrases whose single words, such as "test" or "what", have other meanings in longer clauses. */
const exactKinds: ReadonlySet<PhraseKind> = new Set([
  'denial',
  'affirmation',
  'greeting',
  'acknowledgement',
  'complaint',
  'gives_details',
]);

/** The phrases of one language by which the bot recognizes small talk and requests for a person. */
export class PhraseBook {
  readonly #phrases = new Map<string, PhraseKind | 'filler'>();
  /** Classes of all phrases and words of the language; an empty array for words that say nothing. */
  readonly #classes = new Map<string, ClauseClass[]>();
  readonly #intensifiers: ReadonlySet<string>;
  readonly #thanksFor: ReadonlySet<string>;
  readonly #questionWords: ReadonlySet<string>;
  readonly #continuations: ReadonlySet<string>;
  readonly #names: readonly string[];
  /** Number of words of the longest phrase, by the phrase's first word. */
  readonly #maxWordsByFirst = new Map<string, number>();
  readonly #vocabulary: Set<string>;
  /** Words of the vocabulary that are long enough to be recognized when misspelled, by their first letter. */
  readonly #wordsByFirstLetter: Map<string, string[]>;

  constructor(language: LanguagePhrases) {
    this.#intensifiers = new Set(split(language.intensifiers));
    this.#thanksFor = new Set(split(language.thanksFor));
    this.#questionWords = new Set(split(language.questionWords));
    this.#continuations = new Set(split(language.continuations));
    this.#names = split(language.names);
    this.#addPhrases(language);
    this.#addWords(language);
    const phrases = [...this.#phrases.keys(), ...this.#classes.keys()];
    for (const phrase of phrases) {
      const words = phrase.split(' ');
      const [first = ''] = words;
      this.#maxWordsByFirst.set(first, Math.max(words.length, this.#maxWordsByFirst.get(first) ?? 0));
    }
    this.#vocabulary = new Set(phrases.flatMap((phrase) => phrase.split(' ')));
    const longWords = [...this.#vocabulary].filter(({ length }) => length >= MIN_MISSPELLED_LENGTH);
    this.#wordsByFirstLetter = new Map(groupItems(longWords, (word) => word[0]!));
  }

  #addPhrases({ smallTalk, fillers }: LanguagePhrases): void {
    for (const phrase of split(fillers)) this.#phrases.set(phrase, 'filler');
    for (const kind of smallTalkKinds)
      for (const phrase of split(smallTalk[kind] ?? '')) {
        const isEither = kind === 'goodbye' && this.#phrases.get(phrase) === 'greeting';
        this.#phrases.set(phrase, isEither ? 'greeting_or_goodbye' : kind);
      }
  }

  #addWords({ words, names, fillers, intensifiers }: LanguagePhrases): void {
    const add = (phrase: string, classes: ClauseClass[]) =>
      this.#classes.set(phrase, [...(this.#classes.get(phrase) ?? []), ...classes]);
    for (const phrase of split(`${words.other ?? ''}|${names}|${fillers}|${intensifiers}`)) add(phrase, []);
    for (const name of wordClasses) for (const phrase of split(words[name] ?? '')) add(phrase, [name]);
    for (const [phrase, kind] of this.#phrases) {
      if (kind === 'filler' || kind === 'greeting_or_goodbye' || exactKinds.has(kind)) continue;
      // Let a phrase keep the classes of its parts: "is there anyone" has those of "is there" and "anyone".
      if (phrase.includes(' ')) add(phrase, [kind, ...this.#listClasses(phrase.split(' '))]);
      else if (kind === 'thanks') add(phrase, [kind]);
    }
  }

  #listClasses(words: readonly string[]): ClauseClass[] {
    return words.flatMap((_, at) =>
      words.flatMap((__, end) => this.#classes.get(words.slice(at, end + 1).join(' ')) ?? []),
    );
  }

  /** Returns the meaning of a clause; null if it is neither small talk nor a request for a person. */
  readClause(words: readonly string[]): ClauseMeaning | null {
    const plain = words.filter((word) => !this.#intensifiers.has(word));
    return this.#readCorrected(words) ?? (plain.length < words.length ? this.#readCorrected(plain) : null);
  }

  #readCorrected(words: readonly string[]): ClauseMeaning | null {
    const exact = this.#readWords(words);
    if (exact !== null) return { kind: exact, isCertain: true };
    if (this.#isIntroduction(words)) return { kind: 'greeting', isCertain: false };
    if (words.length > MAX_CORRECTED_WORDS) return null;
    const corrected = words.map((word) => this.#correct(word));
    const correctedKind = corrected.some((word, index) => word !== words[index])
      ? this.#readWords(corrected, false)
      : null;
    return correctedKind && { kind: correctedKind, isCertain: false };
  }

  /** Returns true if all words of the clause are fillers, which say nothing, such as "please". */
  isFiller(words: readonly string[]): boolean {
    let at = 0;
    while (at < words.length) {
      const length = this.#findLongest(words, at, this.#phrases);
      if (this.#phrases.get(words.slice(at, at + length).join(' ')) !== 'filler') return false;
      at += length;
    }
    return true;
  }

  /** @param mayContinue whether anything may follow a request for a person, such as "about my invoice" */
  #readWords(words: readonly string[], mayContinue = true): ClauseMeaning['kind'] | null {
    const answerOnly = this.#phrases.get(words[0]!);
    const isAnswer = answerOnly === 'affirmation' || answerOnly === 'denial';
    return (
      this.#readSmallTalk(words) ??
      this.#applyRules(words, mayContinue) ??
      // Read a person without other words as a request, such as "no I want an agent".
      (this.#namesPersonOnly(words) ? 'wants_person' : null) ??
      (isAnswer && words.length > 2 ? this.#applyRules(words.slice(1), mayContinue) : null) ??
      (this.#givesThanksFor(words) ? 'thanks' : null)
    );
  }

  /** Reads a clause of a visitor's message phrase by phrase. Returns null at a word that fits no phrase. */
  #readSmallTalk(words: readonly string[]): PhraseKind | null {
    const kinds = new Set<PhraseKind>();
    for (let at = 0; at < words.length;) {
      if (isLongNumber(words[at]!)) {
        at += 1;
        continue;
      }
      const length = this.#findLongest(words, at, this.#phrases);
      if (length === 0) return null;
      const kind = this.#phrases.get(words.slice(at, at + length).join(' '))!;
      if (kind !== 'filler') kinds.add(kind);
      at += length;
    }
    return chooseMostSpecific(kinds);
  }

  /** Applies the first rule that fits the classes of a clause's words. Returns null if no rule fits. */
  #applyRules(words: readonly string[], mayContinue: boolean): ClauseMeaning['kind'] | null {
    const classes = new Set<ClauseClass>();
    for (let at = 0; at < words.length;) {
      const isContinued = mayContinue && at > 0 && this.#continuations.has(words[at]!);
      const continuedKind = isContinued ? readContinuedClause(classes) : null;
      if (continuedKind !== null) return continuedKind;
      const length = isLongNumber(words[at]!) ? 1 : this.#findLongest(words, at, this.#classes);
      if (length === 0) return null;
      const phrase = words.slice(at, at + length).join(' ');
      for (const each of this.#classes.get(phrase) ?? []) classes.add(each);
      at += length;
    }
    const kind = clauseRules.find((rule) => fits(rule, classes))?.kind ?? null;
    const asks = words.some((word) => this.#questionWords.has(word));
    return kind === 'acknowledgement' && asks ? null : kind;
  }

  /** Returns true for words that name only a person of the team, such as "a real person please". */
  #namesPersonOnly(words: readonly string[]): boolean {
    let namesPerson = false;
    for (let at = 0; at < words.length;) {
      const length = this.#findLongest(words, at, this.#classes);
      const phrase = words.slice(at, at + length).join(' ');
      if (this.#classes.get(phrase)?.includes('human')) namesPerson = true;
      else if (this.#phrases.get(phrase) !== 'filler' && !articles.has(phrase)) return false;
      at += length;
    }
    return namesPerson;
  }

  /** Returns true for thanks with a reason, such as "thanks for the quick reply", that ask nothing. */
  #givesThanksFor(words: readonly string[]): boolean {
    const start = words.findIndex((word) => this.#thanksFor.has(word));
    if (start < 1 || words.length - start > MAX_REASON_WORDS) return false;
    const reason = words.slice(start);
    return (
      this.#readSmallTalk(words.slice(0, start)) === 'thanks' &&
      !reason.some((word) => this.#questionWords.has(word))
    );
  }

  /** Returns true if the visitor says a name, such as "my name is Jane". */
  #isIntroduction(words: readonly string[]): boolean {
    return this.#names.some((introduction) => {
      const { length } = introduction.split(' ');
      const name = words.slice(length);
      if (name.length === 0 || name.length > MAX_NAME_WORDS) return false;
      return words.slice(0, length).join(' ') === introduction && !this.#vocabulary.has(name[0]!);
    });
  }

  /**
   * Returns the number of words of the longest phrase that begins at a word of the clause; 0 if no phrase
   * begins there.
   */
  #findLongest(words: readonly string[], at: number, phrases: ReadonlyMap<string, unknown>): number {
    const maxWords = this.#maxWordsByFirst.get(words[at]!) ?? 0;
    for (let length = Math.min(maxWords, words.length - at); length > 0; length -= 1)
      if (phrases.has(words.slice(at, at + length).join(' '))) return length;
    return 0;
  }

  /**
   * Returns the word of the vocabulary that the visitor probably meant; the given word if no word is similar.
   */
  #correct(word: string): string {
    if (word.length < MIN_MISSPELLED_LENGTH || this.#vocabulary.has(word)) return word;
    const similar = (this.#wordsByFirstLetter.get(word[0]!) ?? []).filter((known) =>
      differsByOneEdit(known, word),
    );
    // Prefer a word with the same letters, since swapped or doubled letters are the most common errors.
    const letters = listLetters(word);
    const withSameLetters = similar.find((known) => listLetters(known) === letters);
    // Keep a short word with one other letter, since it is often another word: "hats" is not "hate".
    return withSameLetters ?? (word.length > MIN_MISSPELLED_LENGTH ? similar[0] : undefined) ?? word;
  }
}

/** Articles and similar words that may stand before or after a person, in all languages. */
const articles: ReadonlySet<string> = new Set(
  'a an the your some any real live actual true ein eine einen einem einer der die das den dem euren ihren echten echter echte un une le la l les des vrai vraie votre una uno el los su il lo vero vera een de het echt echte um uma o os now jetzt sofort maintenant ahora ya adesso subito nu agora ja nur only aqui hier'.split(
    ' ',
  ),
);

const split = (phrases: string) => phrases.split('|').filter(Boolean);

/** Returns true for a number with enough digits for a part of a phone number. */
const isLongNumber = (word: string) => /^\d{3,}$/.test(word);

function fits({ has, lacks = [] }: (typeof clauseRules)[number], classes: ReadonlySet<ClauseClass>): boolean {
  return has.every((each) => classes.has(each)) && !lacks.some((each) => classes.has(each));
}

/** Returns the meaning of a clause's words so far if any words may follow them; null otherwise. */
function readContinuedClause(classes: ReadonlySet<ClauseClass>): ClauseMeaning['kind'] | null {
  const rule = clauseRules.find((each) => fits(each, classes));
  return rule?.mayContinue ? rule.kind : null;
}

function listLetters(word: string): string {
  return [...new Set(word)].toSorted().join('');
}

/**
 * Returns the kind of small talk that says most about what the visitor expects, such as the thanks of "hello,
 * thanks".
 */
export function chooseMostSpecific<K extends ClauseMeaning['kind']>(kinds: ReadonlySet<K>): K | null {
  const bySpecificity: readonly string[] = ['greeting_or_goodbye', ...smallTalkKinds, 'wants_person'];
  const [best = null] = [...kinds].toSorted((a, b) => bySpecificity.indexOf(b) - bySpecificity.indexOf(a));
  return best;
}
