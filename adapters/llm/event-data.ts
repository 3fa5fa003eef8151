import { LoopSlices } from '../../core/concurrency/loop-slices.ts';
import { ModelError } from '../../core/answers/chat-model.ts';

/** Matches a line end. Ignores a carriage return at the end of a chunk, since a line feed may follow. */
const LINE_END = /\r\n|\n|\r(?!$)/;
const MAY_END = /[\r\n]/;
const DATA = /^data(?:: ?|$)/;
/** Maximum data lines of one event; models send a single line. */
const MAX_DATA_LINES = 1000;
/** Maximum length of one event: more than the longest answer. */
const MAX_EVENT_CHARS = 2_000_000;

/**
 * Yields the data of server-sent events (HTML standard), and ignores their other fields. Yields to the event
 * loop if many arrive at once.
 * @throws ModelError for an event of more than 1,000 lines or 2,000,000 characters
 */
export async function* readEventData(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let isHeld = false;
  let data: string[] = [];
  let dataChars = 0;
  const slices = new LoopSlices();
  for await (const part of parts) {
    const text = decoder.decode(part, { stream: true });
    rest += text;
    if (rest.length > MAX_EVENT_CHARS) throw new ModelError('model_too_long');
    // Searches for lines only if the new text contains a line end. Otherwise a long line would be searched
    // once per chunk.
    const mayEnd = isHeld || MAY_END.test(text);
    isHeld = text.endsWith('\r');
    if (!mayEnd) continue;
    const lines = rest.split(LINE_END);
    rest = lines.pop()!;
    for (const line of lines) {
      await slices.pauseIfDue();
      if (data.length > MAX_DATA_LINES) throw new ModelError('model_invalid_response');
      if (DATA.test(line)) {
        data.push(line.replace(DATA, ''));
        dataChars += line.length;
        if (dataChars > MAX_EVENT_CHARS) throw new ModelError('model_too_long');
      } else if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
        dataChars = 0;
      }
    }
  }
}
