import { escapeUnsafe, oneLine, SafeTextStream } from './safe-text.ts';

/** The streams stdout and stderr, without a filter for unsafe characters. */
export interface Streams {
  out(written: string | Uint8Array): void;
  err(text: string): void;
  /** Whether stderr is a terminal. */
  isTerminal: boolean;
}

/** Terminal sequence that returns to the start of the line and clears the line. */
const CLEAR_LINE = '\r\x1b[K';

/**
 * The only writer of stdout and stderr. Replaces unsafe characters in text for people, on terminals and in
 * pipes.
 */
export class Output {
  readonly #streams: Streams;
  readonly #text = new SafeTextStream();

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** Writes text to stdout, which may arrive in pieces. */
  readonly out = (text: string): void => this.#write(this.#text.write(text));

  /** Writes a value as one line of JSON to stdout. */
  readonly json = (value: unknown): void => this.out(`${JSON.stringify(value)}\n`);

  /** Writes a part of a file to stdout, unfiltered. */
  readonly bytes = (chunk: Uint8Array): void => this.#streams.out(chunk);

  /** Writes text to stderr. */
  readonly err = (text: string): void => this.#streams.err(escapeUnsafe(text));

  /** Writes a line with the command's status to stderr; on a terminal, it replaces the previous line. */
  readonly progress = (text: string): void => {
    const { err, isTerminal } = this.#streams;
    err(isTerminal ? CLEAR_LINE + oneLine(text) : `${oneLine(text)}\n`);
  };

  /** Writes the rest of a text whose last characters waited for more. */
  end(): void {
    this.#write(this.#text.end());
  }

  #write(text: string): void {
    if (text !== '') this.#streams.out(text);
  }
}
