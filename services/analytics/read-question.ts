import { stopWordsFor } from '../../core/answers/stop-words.ts';
import { extractQuestionTerms } from '../../core/answers/terms.ts';
import { isAboutSomething, extractSubject } from '../../core/analytics/subject.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { refersBack } from '../conversations/answering/follow-up.ts';
import { removeStopWords } from '../knowledge/search/search-question.ts';

/** A turn that a bot has answered. */
export interface AnsweredTurn {
  content: string;
  /** Id of the option that the visitor picked in a flow's question. */
  optionId: string | null;
  /** A flow had asked a question, which this may answer. */
  isAskedFor: boolean;
  /** The bot's documents were searched, with or without a hit. */
  isOfDocuments: boolean;
  /** The visitor had written before. */
  isLater: boolean;
}

/** A message that asks something by itself. */
export interface ReadQuestion {
  /** Text without greetings, for language detection. */
  asked: string;
  /** Text from which the lexemes are made. */
  content: string;
  /** The names and codes in it. */
  names: string;
}

/** Characters that are read: a message usually asks at its beginning, and each word costs time. */
const MAX_READ_CHARACTERS = 1000;
/** Minimum of own words for a follow-up message to be understood without the previous one. */
const MIN_OWN_WORDS = 2;

/**
 * Returns the question of a turn; null if the turn asks nothing, or cannot be understood without the previous turns. A reply to
 * a flow's question, such as a name or an address, counts only if the documents were searched for it.
 */
export function readQuestion(turn: AnsweredTurn): ReadQuestion | null {
  if (turn.optionId !== null || (turn.isAskedFor && !turn.isOfDocuments)) return null;
  const subject = extractSubject(cutText(turn.content, MAX_READ_CHARACTERS).replaceAll('\0', ' '));
  const terms = extractQuestionTerms(subject);
  const stopWords = stopWordsFor(terms.map(({ text }) => text));
  const telling = terms.filter(({ text }) => !stopWords.has(text));
  if (!isAboutSomething(telling.map(({ text }) => text))) return null;
  if (turn.isLater && telling.length < MIN_OWN_WORDS && refersBack(subject)) return null;
  const isName = marksNames(subject) ? 'isName' : 'isCode';
  const names = telling.filter((term) => term[isName]).map(({ text }) => text);
  return { asked: subject, content: removeStopWords(subject), names: names.join(' ') };
}

/** Whether capital letters mark names: not in texts that are mostly capitalized. */
function marksNames(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.filter((word) => /^\p{Ll}/u.test(word)).length * 2 >= words.length;
}
