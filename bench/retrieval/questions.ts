import { readFileSync } from 'node:fs';
import { load } from 'cheerio';
import type { Page } from './corpus.ts';

/**
 * A question as a visitor asks it, with the pages that answer it. Written from the pages by hand; no search had a part in the
 * labels. Rules and weights are fitted to the half `tune`, and the other one tells whether they hold.
 */
export interface LabelledQuestion {
  half: 'tune' | 'held-back';
  /**
   * A plain question is in the words of the page that answers it, a reworded one has some of them or their other forms, and a
   * paraphrase names its subject, and says what it asks in words of its own. A riddle does not even name the subject: none of its words
   * that say anything is on the page. Riddles have figures of their own.
   */
  kind: 'plain' | 'reworded' | 'paraphrase' | 'riddle' | 'unanswered';
  /** The pages that answer it are in the same language. */
  language: 'en' | 'de' | 'fr';
  question: string;
  /** Any of them will do; none where the documents do not answer. */
  pages: string[];
  /** What answers it, as it stands on the first of the pages. */
  sentence: string | null;
  /** Why the others of several pages answer it as well. */
  because: string | null;
}

export function readQuestions(): LabelledQuestion[] {
  return JSON.parse(readFileSync(new URL('questions.json', import.meta.url), 'utf8')) as LabelledQuestion[];
}

/** @throws Error that names the labels that are not true of the pages */
export function checkLabels(questions: readonly LabelledQuestion[], pages: readonly Page[]): void {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const wrong = questions.filter(({ pages: ids, sentence, kind, because }) => {
    if (ids.length > 1 !== (because !== null)) return true;
    if (kind === 'unanswered') return ids.length > 0 || sentence !== null;
    if (ids.length === 0 || sentence === null || ids.some((id) => !byId.has(id))) return true;
    return !lettersOf(textOf(byId.get(ids[0]!)!)).includes(lettersOf(sentence));
  });
  if (wrong.length > 0)
    throw new Error(`Labels that are wrong:\n${wrong.map(({ question }) => question).join('\n')}`);
}

const textOf = ({ bytes }: Page) => load(bytes.toString())('body').text();

/** A text without what markup adds and leaves out. */
const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
