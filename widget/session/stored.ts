import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';
import type { Meeting } from '../booking/contract.ts';

/** What a session's calls need. */
export interface Credential {
  sessionId: string;
  token: string;
}

/** A session that was asked for. */
interface Beginning {
  /** The `Idempotency-Key`. */
  key: string;
  body: object;
}

/** A message that was written and has no whole answer yet. */
export interface Pending {
  clientId: string;
  content: string;
  /** The option of a flow's question that was picked. */
  optionId?: string | undefined;
  /** When it was written, in milliseconds since 1970. */
  at: number;
}

/** What a visitor can say to the storing of contact details. */
export type Choice = 'granted' | 'denied' | 'withdrawn';

/** What outlives the page. */
export interface Stored {
  visitorId?: string;
  /** Proves to the API that this is the visitor's browser. */
  visitorSecret?: string;
  /** Whom the page says the visitor is, by token or by its own id: nobody else sees this conversation. */
  identity?: string;
  pageVisitorId?: string;
  credential?: Credential;
  /** The request for a session whose response has not come, so that the next page asks for the same one. */
  beginning?: Beginning;
  /** The conversation as far as it was seen, so that it can be shown when its session has expired. */
  history?: VisitorMessageRead[];
  pending?: Pending[];
  /** Those that were booked in the conversation. */
  meetings?: readonly Meeting[];
  /** The newest message that the visitor has had before their eyes. */
  seenId?: string;
  /** The visitor has filled in the form, or wants nothing of it. */
  isLeadSettled?: boolean;
  /** No contact detail may be stored; each session that begins is told. */
  isRefused?: boolean;
  /** What the visitor has said of consent, until the API has it. */
  untoldConsent?: Choice;
}

type Fields = Record<string, unknown>;

const TEXTS = ['visitorId', 'visitorSecret', 'identity', 'pageVisitorId', 'seenId', 'untoldConsent'];
const SESSION_ID = /^[\da-f-]{36}$/i;
const TOKEN = /^[\w.~+/=-]+$/;

/** Whether this widget may have written it: the page, and whoever else can write there, may have put in anything. */
export function isStored(value: unknown): value is Stored {
  if (!isObject(value)) return false;
  const { credential, beginning, history, pending } = value;
  return (
    TEXTS.every((name) => isTextOr(undefined, value[name])) &&
    (credential === undefined || isCredential(credential)) &&
    (beginning === undefined || isBeginning(beginning)) &&
    isListOr(history, isMessage) &&
    isListOr(pending, isPending)
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isTextOr(other: null | undefined, value: unknown): boolean {
  return value === other || typeof value === 'string';
}

function isListOr(value: unknown, isItem: (item: Fields) => boolean): boolean {
  return (
    value === undefined || (Array.isArray(value) && value.every((item) => isObject(item) && isItem(item)))
  );
}

function isCredential(value: unknown): boolean {
  return isObject(value) && SESSION_ID.test(String(value['sessionId'])) && TOKEN.test(String(value['token']));
}

function isBeginning(value: unknown): boolean {
  return isObject(value) && TOKEN.test(String(value['key'])) && isObject(value['body']);
}

function isPending({ clientId, content, optionId, at }: Fields): boolean {
  const texts = [clientId, content, optionId ?? ''];
  return areTexts(texts) && typeof at === 'number';
}

function isMessage({ id, role, content, created_at: createdAt, citations, ...said }: Fields): boolean {
  const texts = [id, role, content, createdAt];
  return (
    areTexts(texts) &&
    // JSON has no member for an undefined value.
    isTextOr(null, said['author_name'] ?? null) &&
    isEvent(said['event'] ?? null) &&
    isInput(said['input'] ?? null) &&
    (citations === null || isListOr(citations, isCitation))
  );
}

function isEvent(value: unknown): boolean {
  return value === null || (isObject(value) && typeof value['kind'] === 'string');
}

function isInput(value: unknown): boolean {
  return value === null || (isObject(value) && isListOr(value['options'] ?? null, isOption));
}

function isOption({ id, label }: Fields): boolean {
  return areTexts([id, label]);
}

function areTexts(values: unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

function isCitation({ title, quote, source_url: url }: Fields): boolean {
  return typeof title === 'string' && typeof quote === 'string' && isTextOr(null, url);
}
