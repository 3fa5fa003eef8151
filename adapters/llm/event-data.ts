import { pauseIfDue } from '../../core/concurrency/loop-slices.ts';
import { ModelError } from '../../core/answers/chat-model.ts';

/**
 * Matches a line end in an event stream. Ignores a carriage return at the end of a chunk, since a line feed
 * may follow.
 */
const LINE_END = /\r\n|\n|\r(?!$)/;
const MAY_END = /[\r\n]/;
/** Matches the field `data` of an event, which some gateways indent, capitalize or write twice. */
const DATA = /^(?:[ \t]{0,8}data(?:: ?|$)){1,2}/i;
/** Maximum number of data lines of one event in a model's stream; models send a single line. */
const MAX_DATA_LINES = 1000;
/** Maximum number of characters of one event in a model's stream: more than the longest answer. */
const MAX_EVENT_CHARS = 2_000_000;

/**
 * Yields the data of server-sent events (HTML standard), and ignores all other fields. Unlike in the
 * standard, a complete line is an event: some servers separate events by one line end, or omit the last line
 * ends. Other servers send lines of JSON without field names. Yields to the event loop if many events arrive
 * at once.
 * @param isComplete function that returns whether the data of one line is a whole event
 * @throws ModelError for an event of more than 1,000 lines or 2,000,000 characters, or that the stream's end
 *   cuts off
 */
export async function* readEventData(
  parts: AsyncIterable<Uint8Array>,
  isComplete: (data: string) => boolean,
): AsyncGenerator<string> {
  const event = new EventData(isComplete);
  for await (const line of readLines(parts)) {
    const data = event.add(line);
    if (data !== null) yield data;
  }
  const data = event.end();
  if (data !== null) yield data;
}

/** Data lines of the event in a model's stream that is being read. */
class EventData {
  readonly #isComplete: (data: string) => boolean;
  #lines: string[] = [];
  #chars = 0;
  /** True if the lines begin a JSON value. After a word such as `ping`, the next line may be an event. */
  #isInJson = false;

  constructor(isComplete: (data: string) => boolean) {
    this.#isComplete = isComplete;
  }

  /** Adds a line of the model's stream. Returns the data of the event that the line ends, or null. */
  add(line: string): string | null {
    if (line === '') return this.#lines.length > 0 ? this.#takeData() : null;
    if (!DATA.test(line)) return this.#lines.length === 0 && this.#isComplete(line) ? line : null;
    const data = line.replace(DATA, '');
    if (this.#lines.length === 0 && data.trim() === '') return null;
    if (!this.#isInJson && this.#isComplete(data)) {
      this.#takeData();
      return data;
    }
    if (this.#lines.length === 0) this.#isInJson = /^\s*[{[]/.test(data);
    this.#lines.push(data);
    this.#chars += line.length;
    if (this.#lines.length > MAX_DATA_LINES) throw new ModelError('model_invalid_response');
    if (this.#chars > MAX_EVENT_CHARS) throw new ModelError('model_too_long');
    return null;
  }

  /** Returns the data of the stream's last event if no blank line ends it; null if no such event exists. */
  end(): string | null {
    if (this.#lines.length === 0) return null;
    const data = this.#takeData();
    if (!this.#isComplete(data)) throw new ModelError('model_unavailable');
    return data;
  }

  #takeData(): string {
    const data = this.#lines.join('\n');
    this.#lines = [];
    this.#chars = 0;
    this.#isInJson = false;
    return data;
  }
}

async function* readLines(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let endsWithReturn = false;
  for await (const part of parts) {
    const text = decoder.decode(part, { stream: true });
    rest += text;
    if (rest.length > MAX_EVENT_CHARS) throw new ModelError('model_too_long');
    // Search for lines only if the new text contains a line end. Without this check, each chunk would cause
    // another search of a long line.
    const mayEnd = endsWithReturn || MAY_END.test(text);
    endsWithReturn = text.endsWith('\r');
    if (!mayEnd) continue;
    const lines = rest.split(LINE_END);
    rest = lines.pop()!;
    for (const line of lines) {
      await pauseIfDue();
      yield line;
    }
  }
  const lines = (rest + decoder.decode()).split(MAY_END);
  yield* lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
