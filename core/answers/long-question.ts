import { yieldToEventLoop } from '../concurrency/loop-slices.ts';

/**
 * Length in characters from which the analysis of a visitor's question takes milliseconds. Few questions are
 * longer.
 */
const LONG_CHARS = 400;

/**
 * Yields to the event loop before work that takes milliseconds for a long question. Only one such question
 * continues in each turn of the loop, so other requests wait for at most one question.
 */
export async function yieldBeforeLongQuestion(question: string): Promise<void> {
  if (question.length > LONG_CHARS) await yieldToEventLoop();
}
