import { isUtf8 } from 'node:buffer';
import { archiveFormat } from '../../core/archive/archive-format.ts';
import { formatSize } from '../../core/text/size-text.ts';
import { ArchiveRefused } from './archive-refused.ts';
import { measureJsonDepth } from './json-depth.ts';

const NEWLINE = 0x0a;

/** Line of an archive's file: one record as JSON. */
export interface ArchiveLine {
  /** Number of the line in its file, from 1. */
  number: number;
  /** Bytes of the line without its newline. The buffer is only valid until the next lines are read. */
  bytes: Buffer;
}

/** Splits a file of an archive into lines, and checks length, encoding and nesting of each line. */
export class LineSplitter {
  readonly #name: string;
  #partialLine: Buffer[] = [];
  #partialLineBytes = 0;
  #count = 0;

  constructor(name: string) {
    this.#name = name;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Takes the next chunk of the archive's file, and returns the lines that end in it.
   * @throws ArchiveRefused if a line is too long, too deeply nested, or not UTF-8
   */
  split(piece: Buffer): ArchiveLine[] {
    const lines: ArchiveLine[] = [];
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      lines.push(this.#takeLine(piece.subarray(from, end)));
      from = end + 1;
    }
    const rest = piece.subarray(from);
    this.#requireLength(rest);
    if (rest.length > 0) this.#partialLine.push(Buffer.from(rest));
    this.#partialLineBytes += rest.length;
    return lines;
  }

  /** Ends the file of the archive. Returns the file's last line if that lacks a newline. */
  end(): ArchiveLine[] {
    return this.#partialLineBytes === 0 ? [] : [this.#takeLine(Buffer.alloc(0))];
  }

  #takeLine(end: Buffer): ArchiveLine {
    this.#requireLength(end);
    const bytes = this.#partialLineBytes === 0 ? end : Buffer.concat([...this.#partialLine, end]);
    this.#partialLine = [];
    this.#partialLineBytes = 0;
    this.#count += 1;
    if (!isUtf8(bytes)) throw this.#createRefusal('is not UTF-8');
    if (measureJsonDepth(bytes) > archiveFormat.maxDepth)
      throw this.#createRefusal(`nests deeper than ${archiveFormat.maxDepth} levels`);
    return { number: this.#count, bytes };
  }

  #requireLength(more: Buffer): void {
    if (this.#partialLineBytes + more.length <= archiveFormat.maxLineBytes) return;
    this.#count += 1;
    throw this.#createRefusal(`is longer than ${formatSize(archiveFormat.maxLineBytes)}`);
  }

  #createRefusal(what: string): ArchiveRefused {
    return new ArchiveRefused(`${this.#name}, line ${this.#count}, ${what}.`);
  }
}
