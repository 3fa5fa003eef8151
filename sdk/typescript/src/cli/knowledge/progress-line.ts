import type { Surroundings } from '../command.ts';

/** To the beginning of the line, and nothing behind it. */
const ANEW = '\r\x1b[K';

/** One line that changes: on a terminal in its place, elsewhere each change on a line of its own. */
export class ProgressLine {
  readonly #around: Pick<Surroundings, 'err' | 'isTerminal'>;
  #shown = '';

  constructor(around: Pick<Surroundings, 'err' | 'isTerminal'>) {
    this.#around = around;
  }

  show(text: string): void {
    if (text === this.#shown) return;
    this.#shown = text;
    const { err, isTerminal } = this.#around;
    err(isTerminal ? ANEW + text : `${text}\n`);
  }

  end(): void {
    if (this.#around.isTerminal && this.#shown !== '') this.#around.err('\n');
  }
}
