import { pauseIfDue } from '../concurrency/loop-slices.ts';
import { yieldBeforeLongQuestion } from './long-question.ts';
import { cutText } from '../text/cut-text.ts';
import type { ChooseByMeaning, Passage } from './chat-model.ts';
import { splitQuestion } from './question-parts.ts';
import { correctWord } from './spelling.ts';
import { asksForPrice } from './stop-words.ts';
import { TermMatcher, type TermMatches, type TextMatches } from './term-matcher.ts';
import {
  normalizeQuestion,
  truncateQuestion,
  detectTextLanguage,
  extractQuestionTerms,
  listWords,
  normalize,
  type Term,
} from './terms.ts';
import { listSentences, type TextUnit, splitIntoUnits } from './text-units.ts';

/** Sentences or other units of one passage that answer a question, in their order in the passage. */
export interface PassageQuote {
  /** Number of the passage in citations, from 1. */
  index: number;
  units: TextUnit[];
}

interface Candidate {
  unit: TextUnit;
  passage: number;
  position: number;
  score: number;
  /** Whether the text unit itself contains a word of the question; false if only its headings do. */
  isDirect: boolean;
}

const MAX_UNITS = 4;
const MAX_PROSE_CHARS = 800;
const MAX_LIST_UNITS = 12;
const MAX_CODE_CHARS = 800;
/** Maximum number of characters of a passage that are searched for quotes. */
const MAX_PASSAGE_CHARS = 8000;
/**
 * Maximum numbers of passages and of text units that are compared with a question by meaning, since a model
 * needs time for each.
 */
const MAX_COMPARED_PASSAGES = 2;
const MAX_COMPARED_UNITS = 12;
/** Minimum fraction of the question's words that the best passage contains, if the bot must not guess. */
const MIN_SHARE = 0.5;
const HEADING_CREDIT = 0.5;
/** Factor for the score of a table row with a cell that the question names. */
const SUBJECT_FACTOR = 1.4;
/**
 * Factor for the weight of a word that asks for a price, since pages with a price rarely contain such a word.
 */
const PRICE_WORD_FACTOR = 0.6;
/** Factor for the weight of a code such as M22, without which a sentence rarely answers the question. */
const CODE_FACTOR = 2;
/** Minimum match between a question and a table row, as a fraction of the match of the table's best row. */
const ROW_SHARE = 0.75;
/**
 * Reduction of a sentence's score for each word by which the sentence is longer than the claim that it should
 * support.
 */
const LENGTH_COST = 0.01;
/** Factor that lowers the score of a quote in another language than that of the question. */
const OTHER_LANGUAGE = 0.7;
/** Maximum number of characters before a citation that are searched for the claim that it supports. */
const MAX_CLAIM_CHARS = 2000;
const LIST_MARKER = /^(?:-|\d{1,3}[.)])\s/;
/**
 * Maximum length, in characters, of a list item that counts as a label, such as a line of a table of contents.
 */
const MAX_LABEL_CHARS = 50;
const REFERS_BACK =
  /^(it|this|that|these|those|they|he|she|also|and|but|or|so|however|then|therefore|otherwise|es|dies|diese|das|sie|auch|und|aber|dann|il|elle|ils|cela|mais|et|esto|eso|pero|y)\b/i;
const ASKS_FOR_NUMBER =
  /\b(how (much|many|long|often|old|far|big)|when|price|cost|what time|wie (viel|lange|oft)|wann|kosten|preis|combien|quand|prix|cu[aá]nto|cu[aá]ndo|precio|quanto|quando|hoeveel|wanneer)\b|多少|多久|几|いくら|何日|いつ|얼마|언제/iu;

/**
 * Returns the best quotes for a message, by passage, best passage first. A message with several questions
 * gets quotes for each. Returns none if the passages are about another topic.
 * @param isStrict also returns no quotes for a question if the best passage lacks half of its words
 */
export async function findQuotes(
  message: string,
  passages: Passage[],
  isStrict = false,
): Promise<PassageQuote[]> {
  let reading: Promise<TextUnit[][]> | undefined;
  /** Split the passages once for all questions, and not at all if no question is about them. */
  const readUnits = () => (reading ??= splitPassages(passages));
  const chosen: Candidate[] = [];
  for (const question of splitQuestion(message)) {
    await yieldBeforeLongQuestion(question);
    const known = new Set(chosen.map(({ unit }) => unit));
    const found = await findUnits(question, passages, readUnits, isStrict);
    chosen.push(...found.filter(({ unit }) => !known.has(unit)));
  }
  return chosen.length === 0 ? [] : toQuotes(chosen, await readUnits());
}

/** Returns the text units of each passage. Yields to the event loop between passages. */
async function splitPassages(passages: readonly Passage[]): Promise<TextUnit[][]> {
  const units: TextUnit[][] = [];
  for (const passage of passages) {
    units.push(splitIntoUnits(cutPassage(passage)));
    await pauseIfDue();
  }
  return units;
}

/**
 * Returns the quotes that a comparison of meanings chooses from the best passages, for a message in another
 * language than that of the passages. Returns none if the meanings cannot be compared.
 */
export async function findQuotesByMeaning(
  message: string,
  passages: readonly Passage[],
  choose: ChooseByMeaning,
): Promise<PassageQuote[]> {
  const units = await splitPassages(passages.slice(0, MAX_COMPARED_PASSAGES));
  const candidates = units
    .flatMap((own, passage) =>
      own.map((unit, position) => ({ unit, passage, position, score: 1, isDirect: true })),
    )
    .filter(({ unit }) => unit.kind !== 'heading' && unit.kind !== 'code' && !isQuestion(unit))
    .slice(0, MAX_COMPARED_UNITS);
  const texts = candidates.map(({ unit: { tableHead, text } }) =>
    cutText([tableHead, text].filter(Boolean).join('\n'), MAX_PROSE_CHARS),
  );
  const chosen = await choose(splitQuestion(message), texts);
  return toQuotes(
    [...new Set(chosen)].flatMap((index) => candidates[index] ?? []),
    units,
  );
}

/**
 * Returns the text units that answer a question, best first. Yields to the event loop between passages, which
 * may have thousands of table rows.
 * @param readUnits returns the units of each passage
 */
async function findUnits(
  question: string,
  passages: Passage[],
  readUnits: () => Promise<TextUnit[][]>,
  isStrict: boolean,
): Promise<Candidate[]> {
  const typed = extractQuestionTerms(question);
  const matchAll = async (matcher: TermMatcher) => {
    const texts: TextMatches[] = [];
    for (const passage of passages) {
      texts.push(matcher.match([...listContext(passage), cutPassage(passage)].join('\n')));
      await pauseIfDue();
    }
    return texts;
  };
  const typedMatcher = new TermMatcher(typed);
  const typedTexts = await matchAll(typedMatcher);
  const terms = correctTerms(typed, typedTexts);
  const matcher = terms === typed ? typedMatcher : new TermMatcher(terms);
  const texts = terms === typed ? typedTexts : await matchAll(matcher);
  const contexts = passages.map((passage) => matcher.match(listContext(passage).join('\n')));
  if (!isAbout(terms, texts, contexts)) return [];
  const weights = computeWeights(terms, texts);
  const wantsNumber = ASKS_FOR_NUMBER.test(truncateQuestion(question));
  const language = detectTextLanguage(normalizeQuestion(question));
  const candidates: Candidate[] = [];
  for (const [index, passageUnits] of (await readUnits()).entries()) {
    for (const scored of scoreUnits(matcher, contexts[index]!, passageUnits, weights, wantsNumber)) {
      const languageFactor = isForeign(scored.unit, language) ? OTHER_LANGUAGE : 1;
      candidates.push({
        ...scored,
        passage: index,
        score: (scored.score / (1 + 0.08 * index)) * languageFactor,
      });
    }
    await pauseIfDue();
  }
  const chosen = chooseQuotes(candidates);
  return isStrict && isWeak(terms, chosen, texts) ? [] : chosen;
}

/**
 * Returns the sentence of a passage that best supports a claim. The claim's rare words count more than common
 * words.
 */
export function findBestSentence(claim: string, passage: Passage): string {
  const units = splitIntoUnits(cutPassage(passage)).filter(({ kind }) => kind !== 'heading');
  const end = claim.slice(-MAX_CLAIM_CHARS);
  const terms = extractQuestionTerms(listSentences(end).at(-1) ?? end);
  const matcher = new UnitMatcher(new TermMatcher(terms));
  const texts = units.map((unit) => matcher.match(unit).withHead);
  const weights = computeWeights(terms, texts);
  const scores = texts.map(({ similarities, wordCount }, index) => {
    const shared = weights.reduce((sum, weight, at) => sum + weight * similarities[at]!, 0);
    // Lower the score of sentences that are longer than the claim, and of fragments, which may lack the
    // important part.
    const length = 1 + Math.max(0, wordCount - terms.length) * LENGTH_COST;
    return (shared / length) * (units[index]!.isFragment ? 0.8 : 1);
  });
  const best = scores.indexOf(Math.max(...scores));
  return units[best]?.text ?? cutPassage(passage).trim();
}

/**
 * Matches text units with the terms of a question. For a table row, also matches the table's head, which names
 * the columns.
 */
class UnitMatcher {
  readonly #matcher: TermMatcher;
  #head: { text: string; matches: TextMatches } | undefined;

  constructor(matcher: TermMatcher) {
    this.#matcher = matcher;
  }

  match({ text, tableHead }: TextUnit): { own: TermMatches; withHead: TermMatches } {
    const ownMatches = this.#matcher.match(text.replace(LIST_MARKER, ''));
    if (!tableHead) return { own: ownMatches, withHead: ownMatches };
    return { own: ownMatches, withHead: this.#matcher.join(this.#matchHead(tableHead), ownMatches) };
  }

  /** Matches the head of a table. Caches the last head, because rows of the same table follow each other. */
  #matchHead(text: string): TextMatches {
    if (this.#head?.text !== text) this.#head = { text, matches: this.#matcher.match(text) };
    return this.#head.matches;
  }
}

function isForeign({ text }: TextUnit, language: number | null): boolean {
  if (language === null) return false;
  const unitLanguage = detectTextLanguage(text);
  return unitLanguage !== null && unitLanguage !== language;
}

function cutPassage({ text }: Passage): string {
  return cutText(text, MAX_PASSAGE_CHARS);
}

function listContext({ title, headings }: Passage): string[] {
  return [title, ...headings];
}

/**
 * Replaces misspelled terms with similar words of the passages. Does not change names, codes, terms in scripts
 * without spaces, and terms that a passage contains.
 * @returns `terms` itself if nothing was corrected
 */
function correctTerms(terms: Term[], texts: readonly TextMatches[]): Term[] {
  const isUnknown = (at: number) => texts.every(({ similarities }) => similarities[at] === 0);
  const unknown = terms.filter(({ isDense, isName }, at) => !isDense && !isName && isUnknown(at));
  if (unknown.length === 0) return terms;
  const words = new Set(texts.flatMap((text) => [...text.words]));
  const corrections = new Map(unknown.map((term) => [term, correctWord(term.text, words)]));
  if ([...corrections.values()].every((word) => word === null)) return terms;
  return terms.map((term) => ({ ...term, text: corrections.get(term) ?? term.text }));
}

/** Returns whether the passages match the question by more than one coincidental word. */
function isAbout(terms: Term[], texts: TermMatches[], contexts: TermMatches[]): boolean {
  const isTopic = findTopic(terms);
  const importances = terms.map(({ isName }, at) => (isTopic(at) ? (isName ? 2 : 1) : 0));
  const total = importances.reduce<number>((sum, importance) => sum + importance, 0);
  return texts.some(({ similarities }, index) => {
    const context = contexts[index];
    if (!context) return false;
    const matches = importances.map((importance, at) => importance * similarities[at]!);
    const share = matches.reduce((sum, match) => sum + match, 0) / total;
    return share > 1 / 3 || (share > 0.15 && context.similarities.some((similarity) => similarity >= 0.5));
  });
}

/**
 * Returns the weight of each term of a question. A term in few passages has more weight, because it
 * distinguishes them. A code such as M22 has more weight, too.
 */
function computeWeights(terms: Term[], texts: TermMatches[]): number[] {
  const isTopic = findTopic(terms);
  return terms.map(({ isCode }, at) => {
    const matchingCount = texts.filter(({ similarities }) => similarities[at]! > 0).length;
    return (
      computeRarity(matchingCount, texts.length) *
      (isCode ? CODE_FACTOR : isTopic(at) ? 1 : PRICE_WORD_FACTOR)
    );
  });
}

function computeRarity(having: number, all: number): number {
  return Math.log(1 + all / Math.max(having, 1));
}

function scoreUnits(
  matcher: TermMatcher,
  passageContext: TextMatches,
  units: TextUnit[],
  weights: number[],
  wantsNumber: boolean,
): Omit<Candidate, 'passage'>[] {
  const unitMatcher = new UnitMatcher(matcher);
  const rows = new RowJudge(matcher, weights);
  let context: TermMatches = passageContext;
  let question = 0;
  const scored = units.flatMap((unit, position) => {
    if (unit.kind === 'heading') {
      context = matcher.join(passageContext, matcher.match(unit.text));
      return [];
    }
    const { own, withHead } = unitMatcher.match(unit);
    let matched = 0;
    let isDirect = false;
    for (let at = 0; at < weights.length; at += 1) {
      const credit = HEADING_CREDIT * context.similarities[at]!;
      isDirect ||= own.similarities[at]! > 0;
      matched += weights[at]! * Math.max(withHead.similarities[at]!, credit);
    }
    const factor = rateUnit(unit, wantsNumber) * rows.rate(unit, own);
    const score = (matched + question) * factor * (1 - 0.01 * Math.min(position, 20));
    question = isQuestion(unit) ? matched : 0;
    return [{ unit, position, score, isDirect }];
  });
  return scored.filter(({ unit }) => rows.mayAnswer(unit));
}

/**
 * Compares the rows of a table with a question. A question names the row that answers it; the other rows share
 * with it only the words of the table's head and headings.
 */
class RowJudge {
  readonly #matcher: TermMatcher;
  readonly #weights: number[];
  /** Weight of the question's words in the cells of each table row. */
  readonly #matched = new Map<TextUnit, number>();
  readonly #bestInBlock = new Map<number, number>();

  constructor(matcher: TermMatcher, weights: number[]) {
    this.#matcher = matcher;
    this.#weights = weights;
  }

  /**
   * Returns a factor for the score of a text unit. The factor is higher for a table row about the subject of
   * the question.
   */
  rate(unit: TextUnit, own: TermMatches): number {
    if (unit.kind !== 'row') return 1;
    const matched = own.similarities.reduce((sum, each, at) => sum + each * this.#weights[at]!, 0);
    this.#matched.set(unit, matched);
    this.#bestInBlock.set(unit.block, Math.max(matched, this.#bestInBlock.get(unit.block) ?? 0));
    return matched > 0 && this.#namesSubject(unit) ? SUBJECT_FACTOR : 1;
  }

  /** Returns false for a table row if another row of its table has clearly more words of the question. */
  mayAnswer(unit: TextUnit): boolean {
    const matched = this.#matched.get(unit);
    return matched === undefined || matched >= ROW_SHARE * (this.#bestInBlock.get(unit.block) ?? 0);
  }

  /** Returns true if the question contains all words of a cell of the table row, such as "Fish Market". */
  #namesSubject({ text }: TextUnit): boolean {
    return text.split('|').some((cell) => {
      const { similarities, wordCount } = this.#matcher.match(cell);
      return wordCount > 0 && similarities.filter((similarity) => similarity > 0).length >= wordCount;
    });
  }
}

/** Returns whether the best passage contains at most half of the question's words that name its topic. */
function isWeak(terms: Term[], [best]: Candidate[], texts: TermMatches[]): boolean {
  const text = best && texts[best.passage];
  if (!text) return true;
  const isTopic = findTopic(terms);
  const similarities = text.similarities.filter((_, at) => isTopic(at));
  const found = similarities.reduce((sum, similarity) => sum + similarity, 0);
  return found / similarities.length <= MIN_SHARE;
}

/**
 * Returns a function that tells whether the term at an index names the topic of the question. Terms that ask
 * for a price do not, unless there are no other terms.
 */
function findTopic(terms: Term[]): (at: number) => boolean {
  const isOnlyPrice = terms.every(({ text }) => asksForPrice(text));
  return (at) => isOnlyPrice || !asksForPrice(terms[at]!.text);
}

/**
 * Returns a factor for how suitable a text unit is as a quote, for any question. Questions make bad quotes;
 * the text after them may be the answer.
 */
function rateUnit(unit: TextUnit, wantsNumber: boolean): number {
  if (isQuestion(unit)) return 0.1;
  let factor = unit.isFragment ? 0.3 : 1;
  if (isLabel(unit)) factor *= 0.7;
  if (REFERS_BACK.test(unit.text)) factor *= 0.75;
  if (unit.kind === 'code') factor *= unit.text.length > MAX_CODE_CHARS ? 0 : 0.6;
  else if (unit.text.length > 400) factor *= 0.7;
  else if (unit.text.length < 20 && /\p{Script=Latin}/u.test(unit.text)) factor *= 0.6;
  if (wantsNumber && /\p{N}/u.test(unit.text)) factor *= 1.25;
  return factor;
}

/** Returns whether a text unit is a list item that only names something, without a statement. */
function isLabel({ kind, text }: TextUnit): boolean {
  return (
    kind === 'item' &&
    text.startsWith('-') &&
    text.length < MAX_LABEL_CHARS &&
    !/[.!:。！：\p{N}]/u.test(text)
  );
}

function isQuestion(unit: TextUnit): boolean {
  return unit.kind === 'sentence' && /[?？]["'”」]?$/.test(unit.text);
}

/** Returns the text unit with the highest score, and other units with similar scores and different content. */
function chooseQuotes(candidates: Candidate[]): Candidate[] {
  const ranked = candidates.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  const top = ranked[0];
  if (!top) return [];
  const chosen = [top];
  const chosenWords = [listWords(normalize(top.unit.text))];
  let chars = top.unit.text.length;
  for (const candidate of ranked.slice(1)) {
    if (chosen.length === MAX_UNITS) break;
    if (candidate.score < top.score * getRequiredShare(candidate, top)) continue;
    if (chars + candidate.unit.text.length > MAX_PROSE_CHARS) continue;
    const words = listWords(normalize(candidate.unit.text));
    if (chosenWords.some((other) => overlap(other, words) > 0.6)) continue;
    chosen.push(candidate);
    chosenWords.push(words);
    chars += candidate.unit.text.length;
  }
  return chosen;
}

/**
 * Returns the fraction of the best score that a text unit must reach to be quoted. The fraction is lower for a
 * unit that follows the best unit, and higher in another passage.
 */
function getRequiredShare(candidate: Candidate, top: Candidate): number {
  if (candidate.passage !== top.passage) return candidate.isDirect ? 0.8 : Infinity;
  return candidate.position === top.position + 1 ? 0.5 : 0.7;
}

/** Returns the fraction of the smaller set's words that the larger set contains, too. */
function overlap(a: Set<string>, b: Set<string>): number {
  const [smaller, larger] = a.size <= b.size ? [a, b] : [b, a];
  const common = [...smaller].filter((word) => larger.has(word)).length;
  return common / Math.max(smaller.size, 1);
}

function toQuotes(chosen: Candidate[], units: TextUnit[][]): PassageQuote[] {
  const passages = [...new Set(chosen.map(({ passage }) => passage))];
  return passages.map((passage) => {
    const all = units[passage] ?? [];
    const positions = new Set<number>();
    for (const { position } of chosen.filter((candidate) => candidate.passage === passage)) {
      for (const related of addNecessaryContext(all, position)) positions.add(related);
    }
    return {
      index: passage + 1,
      units: [...positions].sort((a, b) => a - b).flatMap((position) => all[position] ?? []),
    };
  });
}

/**
 * Returns the positions of a text unit in a passage and of its necessary context. The context may be all steps
 * of a list, or the sentence that introduces the unit.
 */
function addNecessaryContext(units: TextUnit[], position: number): number[] {
  const unit = units[position];
  if (!unit) return [];
  const positions = [position];
  const next = units[position + 1];
  const opens = /[:：]$/.test(unit.text);
  if (opens && next && next.kind !== 'sentence') positions.push(...findBlock(units, position + 1));
  if (unit.kind === 'item') {
    const list = findBlock(units, position);
    if (/^\d/.test(unit.text)) positions.push(...list);
    const lead = (list[0] ?? position) - 1;
    if (/[:：]$/.test(units[lead]?.text ?? '')) positions.push(lead);
  }
  return positions;
}

/**
 * Returns the positions of all text units in the same list, table or code block; none if the block is too long
 * to quote.
 */
function findBlock(units: TextUnit[], position: number): number[] {
  const block = units[position]?.block;
  const positions = units.flatMap((unit, at) => (unit.block === block ? [at] : []));
  const chars = positions.reduce((sum, at) => sum + (units[at]?.text.length ?? 0), 0);
  return positions.length <= MAX_LIST_UNITS && chars <= 2 * MAX_PROSE_CHARS ? positions : [];
}
