import type { TSchema } from '@sinclair/typebox';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isArchiveTime } from '../../../core/archive/archive-time.ts';
import { fieldErrors } from '../../../core/errors/field-errors.ts';
import { compilesQuickly } from '../../../core/errors/schema-compiler.ts';
import { isUuid } from '../../../core/ids.ts';
import { findExcess, type JsonWeight } from '../../../core/text/json-weight.ts';
import { storableText } from '../../../core/text/storable-text.ts';
import { BotRecord, ContactRecord, ConversationRecord, MessageRecord } from '../archive-records.ts';

/** A line that is no record, and why, for people. */
export class BadRecord extends Error {
  /** What the line says that it is, where it says so. */
  readonly type: string | null;
  readonly id: string | null;

  constructor(message: string, value: { type?: unknown; id?: unknown } = {}) {
    super(message);
    this.name = 'BadRecord';
    this.type = typeof value.type === 'string' ? value.type : null;
    this.id = typeof value.id === 'string' && isUuid(value.id) ? value.id : null;
  }
}

export type ChatRecord = ConversationRecord | MessageRecord;

/**
 * What lines may have. Parsing costs a microsecond or more for each key that is new. Free fields have at most 4,000 of their own; those of
 * a form are among the custom ones of its conversation.
 */
const MAX_RECORD = {
  bot: { values: 1000, keys: 200 },
  contact: { values: 50_000, keys: 4500 },
  chat: { values: 50_000, keys: 4500 },
};

/**
 * Of custom fields, as JSON: several times what Parley writes. A page of contacts or conversations has them all, for as long as it
 * takes its reader.
 */
const MAX_FIELDS_BYTES = 64 * 1024;

const ajv = new Ajv2020({ ...compilesQuickly, strict: false, strictNumbers: true, verbose: true });
// As the database returns them, which is what they are compared with.
ajv.addFormat('uuid', (text: string) => isUuid(text) && text === text.toLowerCase());
/** Of this century. */
ajv.addFormat('date-time', (text: string) => text.startsWith('20') && isArchiveTime(text));

const compiled = new Map<TSchema, ValidateFunction>();

export function readBot(line: Buffer): BotRecord {
  return checked<BotRecord>(BotRecord, parsed(line, MAX_RECORD.bot));
}

export function readContact(line: Buffer): ContactRecord {
  const record = checked<ContactRecord>(ContactRecord, parsed(line, MAX_RECORD.contact));
  return withShortFields(record, [record.custom_fields]);
}

/** A conversation, or one of its messages. @throws BadRecord, as the others do */
export function readChatLine(line: Buffer): ChatRecord {
  const value = parsed(line, MAX_RECORD.chat);
  const { type } = value as { type?: unknown };
  if (type === 'conversation') {
    const record = checked<ConversationRecord>(ConversationRecord, value);
    const { custom_fields: fields, lead_details: { custom_fields: custom, fields: form, ...details } = {} } =
      record;
    return withShortFields(record, [fields, custom, form, details]);
  }
  if (type === 'message') return withItsEvent(checked<MessageRecord>(MessageRecord, value));
  throw new BadRecord('type must be "conversation" or "message".', value);
}

function withShortFields<T extends object>(record: T, fields: readonly unknown[]): T {
  const isLong = (each: unknown) =>
    each !== undefined && Buffer.byteLength(JSON.stringify(each)) > MAX_FIELDS_BYTES;
  if (fields.some(isLong)) throw new BadRecord('Its fields have more than 64 KB as JSON.', record);
  return record;
}

function withItsEvent(record: MessageRecord): MessageRecord {
  const { role, event = null } = record;
  if ((role === 'system') === (event !== null)) return record;
  throw new BadRecord('event must be given with the role system, and with no other.', record);
}

function parsed(line: Buffer, most: Pick<JsonWeight, 'values' | 'keys'>): object {
  const text = line.toString('utf8');
  if (findExcess(text, most) !== null)
    throw new BadRecord('It has more values or keys than a record.', headOf(text));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRecord('It is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadRecord('It is not a JSON object.');
  // What could not be stored can only be written by an escape.
  if (text.includes('\\u') && !isStorable(value))
    throw new BadRecord('It has a NUL or half of a character in a text.', value);
  return value;
}

/** What a line that is not parsed says that it is, if it begins as Parley writes it. */
function headOf(text: string): { type?: string; id?: string } {
  return /^\{"type":"(?<type>\w{1,20})","id":"(?<id>[^"]{36})"/.exec(text)?.groups ?? {};
}

function checked<T>(schema: TSchema, value: object): T {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return value as T;
  const [first] = fieldErrors(validate.errors ?? [], 'body', value);
  throw new BadRecord(first ? `${first.field} ${first.message}.` : 'It is not a record of this kind.', value);
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return storableText(value) === value;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, each]) => storableText(key) === key && isStorable(each));
}
