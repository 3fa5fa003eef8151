import { readFileSync } from 'node:fs';
import { load } from 'cheerio';
import type { Page } from './corpus.ts';

/**
 * A visitor's question with the pages of manuals that answer it, written by hand from the pages, without any
 * search. Search rules and weights are fitted to the half `tune`; the half `held-back` tests them.
 */
export interface LabeledQuestion {
  half: 'tune' | 'held-back';
  /**
   * A plain question uses the words of the page that answers it. A reworded question uses some of them, or
   * other forms. A paraphrase names the page's subject, but uses other words. A riddle does not even name the
   * subject: no significant word is on the page. Riddles have separate figures.
   */
  kind: 'plain' | 'reworded' | 'paraphrase' | 'riddle' | 'unanswered';
  /** Language of the question and of the pages that answer it. */
  language: 'en' | 'de' | 'fr';
  question: string;
  /** Pages that each answer the question; empty if the documents do not answer it. */
  pages: string[];
  /** Sentence that answers the question, verbatim from the first page. */
  sentence: string | null;
  /** Reason why the further pages also answer the question; null without further pages. */
  because: string | null;
}

export function readQuestions(): LabeledQuestion[] {
  return JSON.parse(readFileSync(new URL('questions.json', import.meta.url), 'utf8')) as LabeledQuestion[];
}

/** @throws Error that names the questions whose labeled pages contradict the documents */
export function checkLabels(questions: readonly LabeledQuestion[], pages: readonly Page[]): void {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const wrong = questions.filter(({ pages: ids, sentence, kind, because }) => {
    if (ids.length > 1 !== (because !== null)) return true;
    if (kind === 'unanswered') return ids.length > 0 || sentence !== null;
    if (ids.length === 0 || sentence === null || ids.some((id) => !byId.has(id))) return true;
    return !keepLettersAndDigits(extractPageText(byId.get(ids[0]!)!)).includes(
      keepLettersAndDigits(sentence),
    );
  });
  if (wrong.length > 0)
    throw new Error(`Labels that are wrong:\n${wrong.map(({ question }) => question).join('\n')}`);
}

const extractPageText = ({ bytes }: Page) => load(bytes.toString())('body').text();

/** Strips all characters but letters and digits, so that markup does not affect the comparison. */
const keepLettersAndDigits = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
