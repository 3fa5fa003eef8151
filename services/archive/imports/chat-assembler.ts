import type { ArchiveLine } from '../../../adapters/archive/line-splitter.ts';
import { archiveFormat } from '../../../core/archive/archive-format.ts';
import { sizeText } from '../../../core/text/size-text.ts';
import type { ArchiveJobError } from '../../../entities/archive/archive-job.entity.ts';
import type { ConversationRecord, MessageRecord } from '../archive-records.ts';
import { BadRecord, readChatLine } from './read-record.ts';

/** A conversation with its messages, and the line that it begins at. */
export interface ArchivedChat {
  record: ConversationRecord;
  messages: MessageRecord[];
  line: number;
  bytes: number;
}

export type AssembledChat = ArchivedChat | { error: ArchiveJobError };

/** What has been read of the last conversation. */
interface Begun {
  id: string | null;
  /** Null where its own line is bad. */
  record: ConversationRecord | null;
  messages: MessageRecord[];
  line: number;
  bytes: number;
  error: ArchiveJobError | null;
}

/** Puts the lines of a file together to conversations. One that has a bad line is an error as a whole. */
export class ChatAssembler {
  readonly #file: string;
  #begun: Begun | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** The conversation before, where the line begins another one. */
  take(line: ArchiveLine): AssembledChat | null {
    try {
      const record = readChatLine(line.bytes);
      if (record.type === 'conversation') return this.#begin(line, record.id, record, null);
      return this.#add(line, record);
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      return this.#fail(line, error);
    }
  }

  /** The last one. */
  end(): AssembledChat | null {
    const begun = this.#begun;
    this.#begun = null;
    if (!begun) return null;
    const { record, messages, line, bytes, error } = begun;
    if (error || !record)
      return { error: error ?? this.#errorOf(line, begun.id, 'invalid_record', 'It is no record.') };
    return { record, messages, line, bytes };
  }

  #begin(
    { number, bytes }: ArchiveLine,
    id: string | null,
    record: ConversationRecord | null,
    error: ArchiveJobError | null,
  ): AssembledChat | null {
    const before = this.end();
    this.#begun = { id, record, messages: [], line: number, bytes: bytes.length, error };
    return before;
  }

  #add(line: ArchiveLine, message: MessageRecord): AssembledChat | null {
    const { conversation_id: id } = message;
    if (this.#begun?.id !== id) {
      const what = 'The message belongs to a conversation that does not stand before it.';
      return this.#begin(line, id, null, this.#errorOf(line.number, id, 'orphan_message', what));
    }
    const begun = this.#begun;
    begun.bytes += line.bytes.length;
    if (begun.bytes > archiveFormat.maxConversationBytes) {
      const what = `The conversation has more than ${sizeText(archiveFormat.maxConversationBytes)}.`;
      this.#cost(begun, this.#errorOf(line.number, id, 'conversation_too_large', what));
    }
    if (!begun.error) begun.messages.push(message);
    return null;
  }

  #fail(line: ArchiveLine, { message, type, id }: BadRecord): AssembledChat | null {
    const begun = this.#begun;
    if (type === 'conversation' || !begun)
      return this.#begin(line, id, null, this.#errorOf(line.number, id, 'invalid_record', message));
    this.#cost(begun, this.#errorOf(line.number, begun.id, 'invalid_record', message));
    return null;
  }

  #cost(begun: Begun, error: ArchiveJobError): void {
    begun.error ??= error;
    begun.messages = [];
  }

  #errorOf(line: number, id: string | null, code: string, message: string): ArchiveJobError {
    return { line, id, code, message: `${this.#file}, line ${line}: ${message}` };
  }
}
