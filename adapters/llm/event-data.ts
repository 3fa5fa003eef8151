/** A carriage return at the end may be half of a line's end. */
const LINE_END = /\r\n|\n|\r(?!$)/;
const MAY_END = /[\r\n]/;
const DATA = /^data(?:: ?|$)/;

/** The data of each event of a stream of server-sent events, as the HTML standard reads them; other fields are passed over. */
export async function* eventData(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let isHeld = false;
  let data: string[] = [];
  for await (const part of parts) {
    const text = decoder.decode(part, { stream: true });
    rest += text;
    // A line that comes in many parts is not searched anew with each.
    const mayEnd = isHeld || MAY_END.test(text);
    isHeld = text.endsWith('\r');
    if (!mayEnd) continue;
    const lines = rest.split(LINE_END);
    rest = lines.pop()!;
    for (const line of lines) {
      if (DATA.test(line)) data.push(line.replace(DATA, ''));
      else if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
      }
    }
  }
}
