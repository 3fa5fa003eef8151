import { foldText } from '../../core/text/fold-text.ts';
import { containsText } from '../../core/text/contains-text.ts';
import type { CitedSource, TestFault } from '../../entities/test-sets/test-result.entity.ts';
import type { TestQuestion } from '../../entities/test-sets/test-set.entity.ts';

/** Parts of a bot's answer that a test examines. */
export interface JudgedAnswer {
  content: string;
  sources: readonly CitedSource[];
  isUnanswered: boolean;
  /** Whether the bot has handed the conversation over to a person. */
  isHandedOver: boolean;
  /** Whether the bot's model failed to answer. */
  isFailed: boolean;
}

/**
 * Returns the faults of a bot's answer in a test; an empty list if the answer meets the question's
 * expectation.
 */
export function judgeAnswer(question: TestQuestion, answer: JudgedAnswer): TestFault[] {
  if (answer.isFailed) return ['model_failed'];
  if (question.expects === 'handoff') return answer.isHandedOver ? [] : ['not_handed_over'];
  if (answer.isHandedOver) return ['handed_over'];
  if (question.expects === 'refusal') return answer.isUnanswered ? [] : ['answered'];
  if (answer.isUnanswered) return ['not_answered'];
  const faults: TestFault[] = [];
  if (!citesSource(answer.sources, question.source)) faults.push('wrong_source');
  if (!hasWords(answer.content, question.words)) faults.push('missing_words');
  return faults;
}

function citesSource(sources: readonly CitedSource[], expected: string | null): boolean {
  if (expected === null) return true;
  const part = foldText(expected, Infinity);
  return sources.some(
    ({ title, url }) =>
      containsText(foldText(title, Infinity), part) || containsText(foldText(url ?? '', Infinity), part),
  );
}

function hasWords(content: string, words: readonly string[]): boolean {
  const text = foldText(content, Infinity);
  return words.every((word) => containsText(text, foldText(word, Infinity)));
}
