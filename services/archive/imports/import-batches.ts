import type { ArchiveLine } from '../../../adapters/archive/line-splitter.ts';
import type { OpenArchive } from '../../../adapters/archive/read-archive.ts';
import { isSliceOver, yieldToEventLoop } from '../../../core/concurrency/loop-slices.ts';
import type { RecordKind } from '../../../core/archive/archive-format.ts';
import type { ArchiveJobError, ImportPosition } from '../../../entities/archive/archive-job.entity.ts';
import type { BotRecord, ContactRecord } from '../archive-records.ts';
import { ChatAssembler, type ArchivedChat, type AssembledChat } from './chat-assembler.ts';
import { BadRecord, readBot, readContact } from './read-record.ts';

interface TypedBatch<K extends RecordKind, Item> {
  kind: K;
  file: string;
  items: Item[];
  /** Errors of the archive's invalid lines in this batch. */
  errors: ArchiveJobError[];
  /** Position in the archive after this batch. */
  next: ImportPosition;
  /**
   * True if the batch was committed before. Its records are then read only to restore the state of the
   * import.
   */
  isRepeated: boolean;
}

/** Records of one archived file that are committed in one transaction. */
export type ImportBatch =
  | TypedBatch<'bots', { record: BotRecord; line: number }>
  | TypedBatch<'contacts', { record: ContactRecord; line: number }>
  | TypedBatch<'conversations', ArchivedChat>;

const MAX_RECORDS = 500;
const MAX_CONVERSATIONS = 200;
/** Size in bytes of an import's batch at which the batch ends, even if it has fewer records than allowed. */
const MAX_BATCH_BYTES = 1024 * 1024;
/** Number of handoff requests after which an import's batch ends. One conversation has at most 1,000. */
const MAX_HANDOFFS = 1000;
/**
 * Number of ids of merged contacts after which an import's batch ends. Each id is digested, so that an import
 * does not restore erased people.
 */
const MAX_MERGED_IDS = 1000;

/**
 * Reads an archive in batches. Yields the bots and contacts before `position` again, since conversations
 * refer to them.
 */
export async function* readBatches(
  { manifest, lines: pieces }: Pick<OpenArchive, 'manifest' | 'lines'>,
  position: ImportPosition,
): AsyncGenerator<ImportBatch, void, undefined> {
  let file: Batcher | undefined;
  const names = manifest.files.map(({ name }) => name);
  for await (const { kind, name, lines } of pieces) {
    if (file?.name !== name) {
      if (file) yield* file.end();
      const isDone = position.file !== '' && names.indexOf(name) < names.indexOf(position.file);
      const doneLines = isDone ? Infinity : position.file === name ? position.line : 0;
      file =
        kind === 'conversations'
          ? new ChatBatcher(name, doneLines)
          : new RecordBatcher(kind, name, doneLines);
    }
    for (const line of lines) {
      if (isSliceOver()) await yieldToEventLoop();
      yield* file.add(line);
    }
  }
  if (file) yield* file.end();
}

/** Lists the ids of the valid bots in these lines of an archive. */
export function listBotIds(lines: readonly ArchiveLine[]): string[] {
  return lines.flatMap(({ bytes }) => {
    try {
      return [readBot(bytes).id];
    } catch (error) {
      if (error instanceof BadRecord) return [];
      throw error;
    }
  });
}

/** Prefixes the messages of import errors with the file's name and the line. */
export function addFileName(file: string, errors: readonly ArchiveJobError[]): ArchiveJobError[] {
  return errors.map((error) => ({ ...error, message: `${file}, line ${error.line}: ${error.message}` }));
}

interface Batcher {
  readonly name: string;
  /**
   * Adds a line of the archive. If the line does not fit in the batch, returns the completed batch. If it
   * fits, returns an empty array.
   */
  add(line: ArchiveLine): ImportBatch[];
  end(): ImportBatch[];
}

/** Batches the lines of an archive's file in which each line is one record. */
class RecordBatcher implements Batcher {
  readonly name: string;
  readonly #kind: 'bots' | 'contacts';
  readonly #doneLines: number;
  #items: { record: BotRecord | ContactRecord; line: number }[] = [];
  #errors: ArchiveJobError[] = [];
  #bytes = 0;
  #mergedIds = 0;
  #lastLine = 0;

  constructor(kind: 'bots' | 'contacts', name: string, doneLines: number) {
    this.#kind = kind;
    this.name = name;
    this.#doneLines = doneLines;
  }

  add(line: ArchiveLine): ImportBatch[] {
    const isFull =
      this.#items.length + this.#errors.length >= MAX_RECORDS ||
      this.#bytes >= MAX_BATCH_BYTES ||
      this.#mergedIds >= MAX_MERGED_IDS ||
      this.#lastLine === this.#doneLines;
    const full = isFull ? this.end() : [];
    this.#lastLine = line.number;
    try {
      const record = this.#kind === 'bots' ? readBot(line.bytes) : readContact(line.bytes);
      this.#items.push({ record, line: line.number });
      this.#bytes += line.bytes.length;
      if ('merged_ids' in record) this.#mergedIds += record.merged_ids?.length ?? 0;
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      const message = `${this.name}, line ${line.number}: ${error.message}`;
      this.#errors.push({ line: line.number, id: error.id, code: 'invalid_record', message });
    }
    return full;
  }

  end(): ImportBatch[] {
    const [items, errors] = [this.#items, this.#errors];
    if (items.length + errors.length === 0) return [];
    this.#items = [];
    this.#errors = [];
    this.#bytes = 0;
    this.#mergedIds = 0;
    const next = { isVerified: true, file: this.name, line: this.#lastLine };
    const isRepeated = this.#lastLine <= this.#doneLines;
    return [{ kind: this.#kind, file: this.name, items, errors, next, isRepeated } as ImportBatch];
  }
}

/** Batches the lines of an archive's file in which several lines form a conversation. */
class ChatBatcher implements Batcher {
  readonly name: string;
  readonly #doneLines: number;
  readonly #assembler: ChatAssembler;
  #items: ArchivedChat[] = [];
  #errors: ArchiveJobError[] = [];
  #bytes = 0;
  #handoffs = 0;
  /** Number of the last line of the last completed conversation. */
  #lastLine = 0;
  #lastRead = 0;

  constructor(name: string, doneLines: number) {
    this.name = name;
    this.#doneLines = doneLines;
    this.#assembler = new ChatAssembler(name);
  }

  add(line: ArchiveLine): ImportBatch[] {
    if (line.number <= this.#doneLines) return [];
    const before = this.#assembler.add(line);
    if (before) this.#addChat(before, line.number - 1);
    const isFull =
      this.#items.length + this.#errors.length >= MAX_CONVERSATIONS ||
      this.#bytes >= MAX_BATCH_BYTES ||
      this.#handoffs >= MAX_HANDOFFS;
    this.#lastRead = line.number;
    return before && isFull ? this.#batch() : [];
  }

  end(): ImportBatch[] {
    const last = this.#assembler.end();
    if (last) this.#addChat(last, this.#lastRead);
    return this.#batch();
  }

  #addChat(chat: AssembledChat, lastLine: number): void {
    if ('error' in chat) this.#errors.push(chat.error);
    else {
      this.#items.push(chat);
      this.#bytes += chat.bytes;
      this.#handoffs += chat.record.handoffs?.length ?? 0;
    }
    this.#lastLine = lastLine;
  }

  #batch(): ImportBatch[] {
    const [items, errors] = [this.#items, this.#errors];
    if (items.length + errors.length === 0) return [];
    this.#items = [];
    this.#errors = [];
    this.#bytes = 0;
    this.#handoffs = 0;
    const next = { isVerified: true, file: this.name, line: this.#lastLine };
    return [{ kind: 'conversations', file: this.name, items, errors, next, isRepeated: false }];
  }
}
