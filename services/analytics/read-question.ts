import { stopWordsFor } from '../../core/answers/stop-words.ts';
import { questionTerms } from '../../core/answers/terms.ts';
import { isAboutSomething, subjectOf } from '../../core/analytics/subject.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { refersBack } from '../conversations/answering/follow-up.ts';
import { contentOf } from '../knowledge/search/search-question.ts';

/** A turn that a bot has answered. */
export interface AnsweredTurn {
  content: string;
  /** The option of a flow's question that was picked. */
  optionId: string | null;
  /** A flow had asked for something, which this may be. */
  isAskedFor: boolean;
  /** Its documents were asked, and had something or had not. */
  isOfDocuments: boolean;
  /** The visitor had said something before. */
  isLater: boolean;
}

/** A message that asks something by itself. */
export interface ReadQuestion {
  /** Without greetings, by which its language is told. */
  asked: string;
  /** What it is about, for its lexemes. */
  content: string;
  /** The words in it that name something. */
  names: string;
}

/** What a message asks stands at its beginning, and words cost time by their number. */
const MOST_READ = 1000;
/** With fewer words of its own, a message that goes on from another says too little alone. */
const FEWEST_OWN_WORDS = 2;

/**
 * What a turn asks; null where that is nothing, or nothing that can be understood without what was said before. What a flow has asked
 * for, as a name or an address, is no question unless the documents were asked for it.
 */
export function readQuestion(turn: AnsweredTurn): ReadQuestion | null {
  if (turn.optionId !== null || (turn.isAskedFor && !turn.isOfDocuments)) return null;
  const subject = subjectOf(cutText(turn.content, MOST_READ).replaceAll('\0', ' '));
  const terms = questionTerms(subject);
  const stopWords = stopWordsFor(terms.map(({ text }) => text));
  const telling = terms.filter(({ text }) => !stopWords.has(text));
  if (!isAboutSomething(telling.map(({ text }) => text))) return null;
  if (turn.isLater && telling.length < FEWEST_OWN_WORDS && refersBack(subject)) return null;
  const isName = tellsNames(subject) ? 'isName' : 'isCode';
  const names = telling.filter((term) => term[isName]).map(({ text }) => text);
  return { asked: subject, content: contentOf(subject), names: names.join(' ') };
}

/** Whether a capital means something: not in texts that are all capitals, or begin most words with one. */
function tellsNames(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.filter((word) => /^\p{Ll}/u.test(word)).length * 2 >= words.length;
}
