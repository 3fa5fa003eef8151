export interface RawEvent {
  /** Id of this event, or of the last event before it that had an id. */
  id: string | undefined;
  event: string;
  data: string;
}

/**
 * Creates a parser of a `text/event-stream` according to the HTML standard. The parser takes the text in any
 * chunks, and returns the events that each chunk completes.
 */
export function createEventParser(): (chunk: string) => RawEvent[] {
  let id: string | undefined;
  let event = '';
  let data = '';
  let line = '';
  let endedWithCr = false;
  return (chunk) => {
    const events: RawEvent[] = [];
    // The LF of a CR LF pair ends no line of its own, even if it begins the next chunk.
    const lines = (endedWithCr ? chunk.replace(/^\n/, '') : chunk).split(/\r\n?|\n/);
    if (chunk) endedWithCr = chunk.endsWith('\r');
    line += lines.shift();
    for (const next of lines) {
      const [, name, value = ''] = /([^:]*):? ?([^]*)/.exec(line) ?? [];
      if (name === 'data') data += `${value}\n`;
      else if (name === 'event') event = value;
      else if (name === 'id' && !value.includes('\0')) id = value;
      else if (line === '') {
        if (data) events.push({ id, event: event || 'message', data: data.slice(0, -1) });
        event = data = '';
      }
      line = next;
    }
    return events;
  };
}
