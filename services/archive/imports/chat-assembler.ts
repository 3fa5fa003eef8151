import type { ArchiveLine } from '../../../adapters/archive/line-splitter.ts';
import { archiveFormat } from '../../../core/archive/archive-format.ts';
import { formatSize } from '../../../core/text/size-text.ts';
import type { ArchiveJobError } from '../../../entities/archive/archive-job.entity.ts';
import type { ConversationRecord, MessageRecord } from '../archive-records.ts';
import { BadRecord, readChatLine } from './read-record.ts';

/** A conversation of an archive with its messages, the number of its first line, and its size in bytes. */
export interface ArchivedChat {
  record: ConversationRecord;
  messages: MessageRecord[];
  line: number;
  bytes: number;
}

export type AssembledChat = ArchivedChat | { error: ArchiveJobError };

/** A conversation of an archive, of which further lines may follow. */
interface PartialChat {
  id: string | null;
  /** Record of the conversation itself; null if its line is invalid. */
  record: ConversationRecord | null;
  messages: MessageRecord[];
  line: number;
  bytes: number;
  error: ArchiveJobError | null;
}

/**
 * Combines the lines of an archive's file into conversations. One invalid line makes the whole conversation
 * an error.
 */
export class ChatAssembler {
  readonly #file: string;
  #current: PartialChat | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Adds a line of the archive. If it begins a conversation, returns the completed previous conversation, and
   * null for any other line.
   */
  add(line: ArchiveLine): AssembledChat | null {
    try {
      const record = readChatLine(line.bytes);
      if (record.type === 'conversation') return this.#beginChat(line, record.id, record, null);
      return this.#addMessage(line, record);
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      return this.#toBadChat(line, error);
    }
  }

  /** Returns the last conversation of the archive's file; null if the file is empty. */
  end(): AssembledChat | null {
    const current = this.#current;
    this.#current = null;
    if (!current) return null;
    const { record, messages, line, bytes, error } = current;
    if (error || !record)
      return {
        error: error ?? this.#createError(line, current.id, 'invalid_record', 'The line is not a record.'),
      };
    return { record, messages, line, bytes };
  }

  #beginChat(
    { number, bytes }: ArchiveLine,
    id: string | null,
    record: ConversationRecord | null,
    error: ArchiveJobError | null,
  ): AssembledChat | null {
    const previous = this.end();
    this.#current = { id, record, messages: [], line: number, bytes: bytes.length, error };
    return previous;
  }

  #addMessage(line: ArchiveLine, message: MessageRecord): AssembledChat | null {
    const { conversation_id: id } = message;
    if (this.#current?.id !== id) {
      const problem = 'The record of the message does not follow the record of its conversation.';
      return this.#beginChat(line, id, null, this.#createError(line.number, id, 'orphan_message', problem));
    }
    const current = this.#current;
    current.bytes += line.bytes.length;
    const { maxConversationBytes, maxConversationMessages } = archiveFormat;
    if (current.bytes > maxConversationBytes || current.messages.length >= maxConversationMessages) {
      const problem = `The conversation exceeds ${formatSize(maxConversationBytes)} or ${maxConversationMessages} messages.`;
      this.#invalidate(current, this.#createError(line.number, id, 'conversation_too_large', problem));
    }
    if (!current.error) current.messages.push(message);
    return null;
  }

  #toBadChat(line: ArchiveLine, { message, type, id }: BadRecord): AssembledChat | null {
    const current = this.#current;
    if (type === 'conversation' || !current)
      return this.#beginChat(line, id, null, this.#createError(line.number, id, 'invalid_record', message));
    this.#invalidate(current, this.#createError(line.number, current.id, 'invalid_record', message));
    return null;
  }

  #invalidate(current: PartialChat, error: ArchiveJobError): void {
    current.error ??= error;
    current.messages = [];
  }

  #createError(line: number, id: string | null, code: string, message: string): ArchiveJobError {
    return { line, id, code, message: `${this.#file}, line ${line}: ${message}` };
  }
}
