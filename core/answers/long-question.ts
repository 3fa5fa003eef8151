import { yieldToEventLoop } from '../concurrency/loop-slices.ts';

/** Characters of a question from which its analysis takes milliseconds. Few questions of visitors are longer. */
const LONG_CHARS = 400;

/**
 * Yields to the event loop before work that takes milliseconds for a long question. One such question continues in
 * each turn of the loop, so that many of them delay other requests by one at a time.
 */
export async function yieldBeforeLongQuestion(question: string): Promise<void> {
  if (question.length > LONG_CHARS) await yieldToEventLoop();
}
