import type { TestQuestion, TestResult, TestRun } from '../../client/types.ts';
import type { Tone } from '../../components/lists/status.tsx';

export const expectationWords: Record<TestQuestion['expects'], string> = {
  answer: 'Answer',
  refusal: 'Say it has no answer',
  handoff: 'Hand off to a human',
};

/** Options of the field that chooses how the bot should react to a test question. */
export const expectationOptions = (['answer', 'refusal', 'handoff'] as const).map(
  (each) => [each, expectationWords[each]] as const,
);

export const runWords: Record<TestRun['status'], readonly [tone: Tone, name: string]> = {
  pending: ['busy', 'Queued'],
  running: ['busy', 'Running'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
  canceled: ['quiet', 'Canceled'],
};

export const faultWords: Record<TestResult['faults'][number], string> = {
  model_failed: 'The model failed',
  not_answered: 'No answer',
  answered: 'Answered',
  handed_over: 'Handed off',
  not_handed_over: 'Not handed off',
  wrong_source: 'Wrong source',
  missing_words: 'Missing words',
};

export function isUnfinished({ status }: TestRun): boolean {
  return status === 'pending' || status === 'running';
}

/** Formats the number of passed answers, such as `37 of 40 passed (92%)`. */
export function formatPassed({ passed_count: passed, question_count: total }: TestRun): string {
  const share = total === 0 ? 0 : Math.floor((100 * passed) / total);
  return `${passed} of ${total} passed (${share}%)`;
}
