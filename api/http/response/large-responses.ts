import { yieldToEventLoop } from '../../../core/concurrency/loop-slices.ts';

/** Minimum number of characters of a large response, which takes about half a millisecond to render. */
const LARGE_LENGTH = 64 * 1024;

/** Whether a large response was rendered in the current turn of the event loop. */
let isTurnTaken = false;

/**
 * Renders a response, in a later turn of the event loop if this turn has rendered a large response. The rows of
 * many concurrent reads arrive together, so without pauses their responses would block the process.
 */
export function renderInTurn<T extends object>(render: () => T | Promise<T>): T | Promise<T> {
  return isTurnTaken ? yieldToEventLoop().then(() => renderNow(render)) : renderNow(render);
}

function renderNow<T extends object>(render: () => T | Promise<T>): T | Promise<T> {
  const response = render();
  if ('body' in response && typeof response.body === 'string' && response.body.length > LARGE_LENGTH)
    takeTurn();
  return response;
}

function takeTurn(): void {
  if (!isTurnTaken) setImmediate(() => (isTurnTaken = false));
  isTurnTaken = true;
}
