import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';
import type { Meeting } from '../booking/contract.ts';

/** Id and token of a visitor's session, which authorize calls to the API. */
export interface Credential {
  sessionId: string;
  token: string;
}

/** A request that starts a visitor's session. It is stored so that the next page can repeat it. */
interface PendingSessionRequest {
  /** Value of the request's header `Idempotency-Key`. */
  key: string;
  body: object;
}

/** A message of the visitor that has no complete answer yet. */
export interface PendingMessage {
  clientId: string;
  content: string;
  /** Id of the option that the visitor has picked, if a flow offered options. */
  optionId?: string | undefined;
  /** When the visitor sent the message, in milliseconds since 1970. */
  at: number;
}

/** The visitor's choice whether contact details may be stored. */
export type ConsentChoice = 'granted' | 'denied' | 'withdrawn';

/** State of the visitor's conversation that is stored in the browser and survives reloads. */
export interface StoredState {
  visitorId?: string;
  /** Secret that proves to the API that this is the visitor's browser. */
  visitorSecret?: string;
  /**
   * Identity of the visitor according to the page's token. Visitors with another identity do not see this
   * conversation.
   */
  identity?: string;
  pageVisitorId?: string;
  credential?: Credential;
  /** Request for a session that the API has not answered yet. The next page repeats it. */
  beginning?: PendingSessionRequest;
  /** Messages that the widget has displayed so far. They stay visible even after the session has expired. */
  history?: VisitorMessageRead[];
  pending?: PendingMessage[];
  /** Meetings that were booked in the conversation. */
  meetings?: readonly Meeting[];
  /** Id of the newest message that the visitor has seen. */
  seenId?: string;
  /** True if the visitor has completed or dismissed the form for contact details. */
  isLeadSettled?: boolean;
  /** True if the visitor's contact details must not be stored. Each new session sends this to the API. */
  isRefused?: boolean;
  /** The visitor's choice about contact details that was not sent to the API yet. */
  untoldConsent?: ConsentChoice;
}

type Fields = Record<string, unknown>;

const TEXT_KEYS = ['visitorId', 'visitorSecret', 'identity', 'pageVisitorId', 'seenId', 'untoldConsent'];
const SESSION_ID = /^[\da-f-]{36}$/i;
const TOKEN = /^[\w.~+/=-]+$/;

/**
 * Returns whether a value has the format of the widget's stored state. Scripts of the page can write other
 * values to the browser's storage.
 */
export function isStoredState(value: unknown): value is StoredState {
  if (!isObject(value)) return false;
  const { credential, beginning, history, pending } = value;
  return (
    TEXT_KEYS.every((name) => isTextOr(undefined, value[name])) &&
    (credential === undefined || isCredential(credential)) &&
    (beginning === undefined || isPendingSessionRequest(beginning)) &&
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

function isPendingSessionRequest(value: unknown): boolean {
  return isObject(value) && TOKEN.test(String(value['key'])) && isObject(value['body']);
}

function isPending({ clientId, content, optionId, at }: Fields): boolean {
  const texts = [clientId, content, optionId ?? ''];
  return areTexts(texts) && typeof at === 'number';
}

function isMessage({ id, role, content, created_at: createdAt, citations, ...message }: Fields): boolean {
  const texts = [id, role, content, createdAt];
  return (
    areTexts(texts) &&
    // JSON omits fields of stored messages that are undefined, so missing fields are valid.
    isTextOr(null, message['author_name'] ?? null) &&
    isEvent(message['event'] ?? null) &&
    isInput(message['input'] ?? null) &&
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
