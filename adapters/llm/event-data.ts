import { LoopSlices } from '../../core/concurrency/loop-slices.ts';
import { ModelError } from '../../core/answers/chat-model.ts';

/** A carriage return at the end may be half of a line's end. */
const LINE_END = /\r\n|\n|\r(?!$)/;
const MAY_END = /[\r\n]/;
const DATA = /^data(?:: ?|$)/;
/** Of one event: models send one. */
const MAX_DATA_LINES = 1000;
/** Of one event: more than the longest answer takes that comes in one piece. */
const MAX_EVENT_CHARS = 2_000_000;

/**
 * The data of each event of a stream of server-sent events, as the HTML standard reads them; other fields are passed over.
 * Yields to the event loop where many come at once.
 * @throws ModelError for an event of more than 1,000 lines or 2,000,000 characters
 */
export async function* eventData(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
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
    // A line that comes in many parts is not searched anew with each.
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
