import { ModelError } from './chat-model.ts';
import { isWorthRepeating } from './model-failure.ts';

export type FetchFunction = typeof globalThis.fetch;

/** Longest line of an event stream; the SDK searches an unfinished line anew with every packet. */
const MAX_LINE_BYTES = 65_536;
const LINE_FEED = 0x0a;

/**
 * A `fetch` for model calls: it follows no redirect (the key would travel along), repeats a request once when
 * the connection failed before any answer, and stops reading after `maxBytes`.
 */
export function modelFetch(fetch: FetchFunction, maxBytes: number): FetchFunction {
  return async (input, init) => {
    const send = () => fetch(input, { ...init, redirect: 'manual' });
    const response = await send().catch((error: unknown) => {
      if (init?.signal?.aborted || !isWorthRepeating(error)) throw error;
      return send();
    });
    if (!response.body) return response;
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const limit = byteLimit(maxBytes, isJson ? maxBytes : MAX_LINE_BYTES);
    return new Response(response.body.pipeThrough(limit), response);
  };
}

function byteLimit(maxBytes: number, maxLineBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  let lineBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const lastBreak = chunk.lastIndexOf(LINE_FEED);
      seen += chunk.byteLength;
      lineBytes = lastBreak === -1 ? lineBytes + chunk.byteLength : chunk.byteLength - lastBreak;
      if (seen > maxBytes || lineBytes > maxLineBytes) controller.error(new ModelError('model_too_long'));
      else controller.enqueue(chunk);
    },
  });
}
