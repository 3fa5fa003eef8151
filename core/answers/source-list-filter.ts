import type { AnswerToken } from './answer-scanner.ts';
import { ListReader, SourceList, type NamedSource } from './source-list.ts';

/** Remaining tokens at the end of an answer, without a list of sources. */
export interface AnswerEnd {
  tokens: AnswerToken[];
  /** Numbers of the sources in the removed list of sources; null if no list was removed. */
  removedNumbers: number[] | null;
}

/**
 * Removes a list of sources from the end of a streaming answer. Withholds lines as long as they may be such a
 * list. The result does not depend on how the answer is split into tokens.
 */
export class SourceListFilter {
  readonly #list: SourceList;
  #reader: ListReader | null = null;
  /** Lines of the answer that the filter withholds. Each begins with the line break before it. */
  #lines: AnswerToken[][] = [];
  #hasText = false;

  constructor(sources: readonly NamedSource[]) {
    this.#list = new SourceList(sources);
  }

  /** Adds a token of the answer. Returns the tokens that are certainly not part of a list of sources. */
  push(token: AnswerToken): AnswerToken[] {
    if (token.kind !== 'text') return this.#addPiece(token);
    // Split the answer's token before each line break, so that the break belongs to the following line.
    return token.raw.split(/(?=\n)/).flatMap((raw) => this.#addPiece({ ...token, raw }));
  }

  /**
   * Returns the rest of the answer, without the list of sources at its end.
   * @param isCited returns whether the answer up to the given tokens cites sources
   */
  end(isCited: (tokens: readonly AnswerToken[]) => boolean): AnswerEnd {
    const tokens: AnswerToken[] = [];
    for (let from = 0; from < this.#lines.length; from += 1) {
      const texts = this.#lines.slice(from).map(joinTokens);
      if (this.#list.matches(texts, isCited(tokens)))
        return { tokens, removedNumbers: this.#list.findNumbers(texts) };
      tokens.push(...this.#lines[from]!);
    }
    return { tokens, removedNumbers: null };
  }

  #addPiece(piece: AnswerToken): AnswerToken[] {
    const isLineEnd = piece.kind === 'text' && piece.raw.startsWith('\n');
    if (this.#reader === null) {
      if (isLineEnd && this.#hasText) return this.#beginList([piece]);
      this.#hasText ||= piece.raw.trim() !== '';
      return [piece];
    }
    const released = isLineEnd ? this.#endLine() : [];
    if (isLineEnd && this.#reader === null) return [...released, ...this.#beginList([piece])];
    if (isLineEnd) this.#lines.push([piece]);
    else this.#lines.at(-1)!.push(piece);
    return [...released, ...this.#checkLine()];
  }

  /** Begins to withhold lines that may be a list of sources. */
  #beginList(line: AnswerToken[]): AnswerToken[] {
    this.#reader = new ListReader(this.#list, true);
    this.#lines = [line];
    return this.#checkLine(true);
  }

  /** Ends the last withheld line. Releases the withheld lines if they are not a list of sources. */
  #endLine(): AnswerToken[] {
    return this.#reader!.add(joinTokens(this.#lines.at(-1)!)) ? [] : this.#releaseLines(true);
  }

  /**
   * Checks the last withheld line, which is not complete. Releases the withheld lines if they cannot become a
   * list of sources.
   */
  #checkLine(isFirst = false): AnswerToken[] {
    if (this.#reader!.canContinue(joinTokens(this.#lines.at(-1)!))) return [];
    return isFirst ? this.#releaseAll() : this.#releaseLines(false);
  }

  /** Releases all withheld lines but the last line, which may begin another list of sources. */
  #releaseLines(isLineComplete: boolean): AnswerToken[] {
    const last = this.#lines.at(-1)!;
    const isOnly = this.#lines.length === 1;
    const before = this.#lines.slice(0, -1).flat();
    if (isOnly) return this.#releaseAll();
    const released = [...before, ...this.#beginList(last)];
    if (isLineComplete && this.#reader !== null && !this.#reader.add(joinTokens(last)))
      return [...released, ...this.#releaseAll()];
    return released;
  }

  #releaseAll(): AnswerToken[] {
    const tokens = this.#lines.flat();
    this.#lines = [];
    this.#reader = null;
    return tokens;
  }
}

/**
 * Returns the text of an answer's line without the line break before it. Uses the raw text of code and links.
 */
function joinTokens(line: readonly AnswerToken[]): string {
  return line
    .map(({ raw }) => raw)
    .join('')
    .replace(/^\n/, '')
    .replaceAll('\n', ' ');
}
