import { stopWordsFor } from '../../core/answers/stop-words.ts';
import { extractQuestionTerms } from '../../core/answers/terms.ts';
import { hasTopic, extractSubject } from '../../core/analytics/question-subject.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { refersBack } from '../../core/answers/follow-up.ts';
import { removeStopWords } from '../knowledge/search/search-question.ts';

/** A visitor's message that a bot has answered, with facts about the answer. */
export interface AnsweredTurn {
  content: string;
  /** Id of the option that the visitor chose in a flow's question; null if none. */
  optionId: string | null;
  /** True if a conversation flow had asked the visitor for input, which the message may contain. */
  followsInputRequest: boolean;
  /** True if the bot searched its documents, even without a hit. */
  searchedDocuments: boolean;
  /** True if the visitor had written earlier messages. */
  isFollowUp: boolean;
}

/** A visitor's question that can be understood without earlier messages. */
export interface ParsedQuestion {
  /** The question without greetings, from which its language is detected. */
  subject: string;
  /** Text from which the question's lexemes are extracted. */
  content: string;
  /** Names and codes within the question. */
  names: string;
}

/**
 * Maximum number of characters of a message that are analyzed. A message usually asks at its beginning, and
 * each word costs time.
 */
const MAX_READ_CHARACTERS = 1000;
/** Minimum number of words that a follow-up message needs to be understood without the previous message. */
const MIN_OWN_WORDS = 2;

/**
 * Returns the question in a visitor's message. Null if the message asks nothing, or cannot be understood
 * without earlier messages. A reply to a flow's question, such as a name, counts only if the documents were
 * searched for it.
 */
export function readQuestion(turn: AnsweredTurn): ParsedQuestion | null {
  if (turn.optionId !== null || (turn.followsInputRequest && !turn.searchedDocuments)) return null;
  const subject = extractSubject(cutText(turn.content, MAX_READ_CHARACTERS).replaceAll('\0', ' '));
  const terms = extractQuestionTerms(subject);
  const stopWords = stopWordsFor(terms.map(({ text }) => text));
  const topicTerms = terms.filter(({ text }) => !stopWords.has(text));
  if (!hasTopic(topicTerms.map(({ text }) => text))) return null;
  if (turn.isFollowUp && topicTerms.length < MIN_OWN_WORDS && refersBack(subject)) return null;
  const isName = capitalsMarkNames(subject) ? 'isName' : 'isCode';
  const names = topicTerms.filter((term) => term[isName]).map(({ text }) => text);
  return { subject, content: removeStopWords(subject), names: names.join(' ') };
}

/** True if capital letters in the text identify names. False for texts that are mostly capitalized. */
function capitalsMarkNames(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.filter((word) => /^\p{Ll}/u.test(word)).length * 2 >= words.length;
}
