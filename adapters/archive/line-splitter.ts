import { isUtf8 } from 'node:buffer';
import { archiveFormat } from '../../core/archive/archive-format.ts';
import { formatSize } from '../../core/text/size-text.ts';
import { ArchiveRefused } from './archive-refused.ts';
import { measureJsonDepth } from './json-depth.ts';

const NEWLINE = 0x0a;
/** Maximum number of lines that a caller gets at once, so that it can yield to the event loop between them. */
const MAX_LINES_AT_ONCE = 500;
/** Size in bytes below which a line is too short for a record, which contains at least an id. */
const SHORT_LINE_BYTES = 45;
/**
 * Maximum number of lines in a file that are too short for a record. An import reports a few of them. Reading
 * millions, which take little space in a compressed archive, would take hours.
 */
const MAX_SHORT_LINES = 1000;

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
  #shortCount = 0;

  constructor(name: string) {
    this.#name = name;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Takes the next chunk of the archive's file, and yields the lines that end in it, at most 500 at once.
   * @throws ArchiveRefused if a line is too long, too deeply nested, or not UTF-8, or if too many lines are short
   */
  *split(piece: Buffer): Generator<ArchiveLine[], void, undefined> {
    let lines: ArchiveLine[] = [];
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      lines.push(this.#takeLine(piece.subarray(from, end)));
      from = end + 1;
      if (lines.length < MAX_LINES_AT_ONCE) continue;
      yield lines;
      lines = [];
    }
    if (lines.length > 0) yield lines;
    const rest = piece.subarray(from);
    this.#requireLength(rest);
    if (rest.length > 0) this.#partialLine.push(Buffer.from(rest));
    this.#partialLineBytes += rest.length;
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
    if (bytes.length < SHORT_LINE_BYTES && (this.#shortCount += 1) > MAX_SHORT_LINES)
      throw this.#createRefusal(`is too short for a record, and so are ${MAX_SHORT_LINES} lines before it`);
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
