import { escapeUnsafe, oneLine, SafeTextStream } from './safe-text.ts';

/** Stdout and stderr as they are, and whether a person reads the latter. */
export interface Streams {
  out(written: string | Uint8Array): void;
  err(text: string): void;
  /** Whether `err` is read by somebody, line by line as it changes. */
  isTerminal: boolean;
}

/** Returns to the start of the line and clears it. */
const CLEAR_LINE = '\r\x1b[K';

/** The only way to stdout and stderr: what people read passes one filter, on terminals and in pipes alike. */
export class Output {
  readonly #streams: Streams;
  readonly #text = new SafeTextStream();

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** Text on stdout, which may come in pieces. */
  readonly out = (text: string): void => this.#write(this.#text.write(text));

  /** A value on one line of stdout, for programs. */
  readonly json = (value: unknown): void => this.out(`${JSON.stringify(value)}\n`);

  /** A part of a file on stdout, byte by byte. */
  readonly bytes = (chunk: Uint8Array): void => this.#streams.out(chunk);

  /** Text on stderr. */
  readonly err = (text: string): void => this.#streams.err(escapeUnsafe(text));

  /** A line of progress on stderr: on a terminal it replaces the one before. */
  readonly progress = (text: string): void => {
    const { err, isTerminal } = this.#streams;
    err(isTerminal ? CLEAR_LINE + oneLine(text) : `${oneLine(text)}\n`);
  };

  /** Writes what waits for more text. */
  end(): void {
    this.#write(this.#text.end());
  }

  #write(text: string): void {
    if (text !== '') this.#streams.out(text);
  }
}
