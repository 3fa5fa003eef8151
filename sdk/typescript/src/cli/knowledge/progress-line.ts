import type { Context } from '../command.ts';

type Terminal = Pick<Context, 'progress' | 'err' | 'isTerminal'>;

/**
 * A line with the status of a command: replaced on a terminal; written again after each change on other
 * outputs.
 */
export class ProgressLine {
  readonly #terminal: Terminal;
  #shown = '';

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(text: string): void {
    if (text === this.#shown) return;
    this.#shown = text;
    this.#terminal.progress(text);
  }

  end(): void {
    const { err, isTerminal } = this.#terminal;
    if (isTerminal && this.#shown !== '') err('\n');
  }
}
