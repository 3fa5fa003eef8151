import type { TSchema } from '@sinclair/typebox';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import { MAX_MESSAGE_LENGTH } from '../../../browser/message-length.ts';
import { isArchiveTime } from '../../../core/archive/archive-time.ts';
import { MAX_CUSTOM_FIELDS_BYTES } from '../../../core/contacts/contact-details.ts';
import { toFieldErrors } from '../../../core/errors/field-errors.ts';
import { compilesQuickly } from '../../../core/errors/schema-compiler.ts';
import { isUuid } from '../../../core/ids.ts';
import { findExcess, type JsonWeight } from '../../../core/text/json-weight.ts';
import { describeLineFault, toSingleLine } from '../../../core/text/single-line.ts';
import { toStorableText } from '../../../core/text/storable-text.ts';
import { BotRecord, ContactRecord, ConversationRecord, MessageRecord } from '../archive-records.ts';

/** Error for an invalid line of an archive. Its message is shown to users. */
export class BadRecord extends Error {
  /** Type and id of the line's record; null if the line does not contain them. */
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
 * Maximum number of JSON values and keys in a line of an archive, since parsing takes a microsecond or more
 * per new key. Custom fields have at most 4,000 keys, including those of a form.
 */
const MAX_RECORD = {
  bot: { values: 1000, keys: 200 },
  contact: { values: 50_000, keys: 4500 },
  chat: { values: 50_000, keys: 4500 },
};

/** Maximum bytes of a lead's details as JSON, like the body of `submitWidgetLead`. Lists return them with every entry. */
const MAX_LEAD_BYTES = 128 * 1024;

/** Text that replaces an imported name that consists only of control characters. */
const UNNAMED = '?';

const ajv = new Ajv2020({ ...compilesQuickly, strict: false, strictNumbers: true, verbose: true });
// Requires ids in lower case: the database returns ids in lower case, and the import compares ids as text.
ajv.addFormat('uuid', (text: string) => isUuid(text) && text === text.toLowerCase());
/** Accepts only times in the years 2000 to 2099, in UTC. */
ajv.addFormat('date-time', (text: string) => isArchiveTime(text) && toUtc(text).startsWith('20'));
ajv.addKeyword({
  keyword: 'isReadAsUtc',
  modifying: true,
  validate: (_schema: unknown, data: unknown, _parent: unknown, at?: DataValidationCxt) => {
    if (typeof data === 'string' && at && isArchiveTime(data))
      at.parentData[at.parentDataProperty] = toUtc(data);
    return true;
  },
});
ajv.addKeyword({
  keyword: 'isReadAsLine',
  modifying: true,
  validate: (_schema: unknown, data: unknown, _parent: unknown, at?: DataValidationCxt) => {
    if (typeof data === 'string' && at && describeLineFault(data, { mayBeBlank: true }) !== null)
      at.parentData[at.parentDataProperty] = toSingleLine(data) || UNNAMED;
    return true;
  },
});

const compiled = new Map<TSchema, ValidateFunction>();

export function readBot(line: Buffer): BotRecord {
  return validateRecord<BotRecord>(BotRecord, parseLine(line, MAX_RECORD.bot));
}

export function readContact(line: Buffer): ContactRecord {
  const record = validateRecord<ContactRecord>(ContactRecord, parseLine(line, MAX_RECORD.contact));
  return requireShortFields(record, record.custom_fields, MAX_CUSTOM_FIELDS_BYTES);
}

/**
 * Parses a line of an archive that is a conversation or a message.
 * @throws BadRecord if the line is invalid
 */
export function readChatLine(line: Buffer): ChatRecord {
  const value = parseLine(line, MAX_RECORD.chat);
  const { type } = value as { type?: unknown };
  if (type === 'conversation') {
    const record = validateRecord<ConversationRecord>(ConversationRecord, value);
    requireShortFields(record, record.lead_details, MAX_LEAD_BYTES);
    return requireShortFields(record, record.custom_fields, MAX_CUSTOM_FIELDS_BYTES);
  }
  if (type === 'message')
    return requireShortContent(requireMatchingEvent(validateRecord<MessageRecord>(MessageRecord, value)));
  throw new BadRecord('type must be "conversation" or "message".', value);
}

/** Converts a time of any offset to UTC. Digits after the milliseconds are dropped. */
function toUtc(time: string): string {
  return new Date(time).toISOString();
}

function requireShortFields<T extends object>(record: T, fields: object | undefined, maxBytes: number): T {
  if (fields === undefined || Buffer.byteLength(JSON.stringify(fields)) <= maxBytes) return record;
  throw new BadRecord(`The fields of the record exceed ${maxBytes} bytes as JSON.`, record);
}

/** Requires that only a model's answer is longer than people may write. */
function requireShortContent(record: MessageRecord): MessageRecord {
  const { role, content } = record;
  if (role === 'assistant' || content.length <= MAX_MESSAGE_LENGTH) return record;
  throw new BadRecord(
    `content must have at most ${MAX_MESSAGE_LENGTH} characters for the role ${role}.`,
    record,
  );
}

function requireMatchingEvent(record: MessageRecord): MessageRecord {
  const { role, event = null } = record;
  if ((role === 'system') === (event !== null)) return record;
  throw new BadRecord('event is required for the role system, and is not allowed for other roles.', record);
}

function parseLine(line: Buffer, max: Pick<JsonWeight, 'values' | 'keys'>): object {
  const text = line.toString('utf8');
  if (findExcess(text, max) !== null)
    throw new BadRecord('The record has more values or keys than allowed.', readTypeAndId(text));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRecord('The line is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadRecord('The line is not a JSON object.');
  // Text that PostgreSQL cannot store appears in an archive's JSON only as an escape sequence.
  if (text.includes('\\u') && !isStorable(value))
    throw new BadRecord('The record contains text with a NUL character or a lone surrogate.', value);
  return value;
}

/**
 * Extracts the type and id of a record from an archive's unparsed line. Finds them only if the line starts as
 * Parley's exports do.
 */
function readTypeAndId(text: string): { type?: string; id?: string } {
  return /^\{"type":"(?<type>\w{1,20})","id":"(?<id>[^"]{36})"/.exec(text)?.groups ?? {};
}

function validateRecord<T>(schema: TSchema, value: object): T {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return value as T;
  const [first] = toFieldErrors(validate.errors ?? [], 'body', value);
  throw new BadRecord(
    first ? `${first.field} ${first.message}.` : 'The line is not a valid record of its type.',
    value,
  );
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return toStorableText(value) === value;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, each]) => toStorableText(key) === key && isStorable(each));
}
