/**
 * What the SDKs are generated from: the API in words that belong to no language. Names are camelCase (methods, resources) or
 * PascalCase (models); `names.ts` has them in other cases. Fields and parameters keep the names that they have on the wire.
 */

/** A type as it is on the wire. */
export type TypeRef =
  | { kind: 'unknown' }
  | { kind: 'string'; format?: string }
  | { kind: 'integer' }
  | { kind: 'number' }
  | { kind: 'boolean' }
  /** One value, such as the tag of a union. */
  | { kind: 'literal'; value: string | number | boolean }
  /** Known values; an open one may also have a text that is not known yet, as answers may. */
  | { kind: 'enum'; values: readonly string[]; isOpen: boolean }
  | { kind: 'list'; items: TypeRef }
  /** An object of any keys. */
  | { kind: 'map'; values: TypeRef }
  /** One of `SdkApi.models`. */
  | { kind: 'model'; name: string }
  | { kind: 'union'; members: readonly TypeRef[] }
  | { kind: 'nullable'; of: TypeRef };

export interface Field {
  /** As on the wire. */
  name: string;
  type: TypeRef;
  isRequired: boolean;
  description: string;
}

/** An object with fields of its own; others may come, and have to be let through. */
export interface Model {
  name: string;
  description: string;
  fields: readonly Field[];
  /** Whether callers may send fields of their own beside these. */
  takesOthers: boolean;
  isSent: boolean;
  isReceived: boolean;
}

/** One event of a stream: `{ event, id, data }`. */
interface StreamEvent {
  /** The name on the wire, such as `message.started`. */
  event: string;
  description: string;
  data: TypeRef;
  /** After it nothing follows. */
  isLast: boolean;
}

/** The events of a stream. One with a name that is not among them is to be let through. */
export interface EventUnion {
  /** `WidgetEvent`. */
  name: string;
  description: string;
  events: readonly StreamEvent[];
}

/** The body of a webhook: `{ event, data }`. */
export interface WebhookEvent {
  event: string;
  /** `ConversationStartedEvent`. */
  name: string;
  description: string;
  data: TypeRef;
}

/** In paths, in queries, and in headers that only this operation reads. */
export type Parameter = Field;

export type Body =
  | { kind: 'json'; type: TypeRef; isRequired: boolean }
  /** Bytes that are signed: they are sent as they are given. */
  | { kind: 'raw'; contentType: string }
  /** One file, and text fields beside it. */
  | { kind: 'multipart'; fileField: string; fileTypes: readonly string[]; fields: readonly Field[] };

export type Answer =
  | { kind: 'json'; type: TypeRef }
  /** `{ items, total, page, page_size, has_more, next_cursor }`: the next one is asked for by `cursor` in place of `page`. */
  | { kind: 'pages'; item: TypeRef }
  /** A list: the next one is asked for by `parameter`, with the `field` of the last item, until one has less than `limit`. */
  | { kind: 'keyset'; item: TypeRef; parameter: 'before' | 'after'; field: string; defaultLimit: number }
  | { kind: 'text'; mediaTypes: readonly string[] }
  | { kind: 'binary'; mediaTypes: readonly string[] }
  /** The answer is where a browser is sent to: nothing is to be followed. */
  | { kind: 'redirect' }
  | { kind: 'stream'; union: string; resume: Resume };

/**
 * How a stream that broke off is read on. `lastEventId`: the same request with the header `Last-Event-ID`; one that writes also
 * needs the `client_id` that it began with, which names the turn. `again`: it begins with how things stand, so that it may simply
 * be opened again. `never`: asking again would have it made again.
 */
export type Resume = 'lastEventId' | 'again' | 'never';

/** Whose token is sent: none, an API key (or the token of somebody signed in), only the latter, that of a visitor's session, or the same where there is one. */
export type AuthKind = 'none' | 'key' | 'session' | 'visitor' | 'visitorIfAny';

/** The time for which an answer may take: 30 s, 60 s where a model writes, 300 s where files are sent or fetched, none for streams. */
export type Patience = 'usual' | 'generation' | 'transfer' | 'stream';

export interface Method {
  operationId: string;
  /** `getStatus`, unique within its resource. */
  name: string;
  http: { method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'; path: string };
  summary: string;
  description: string;
  isDeprecated: boolean;
  auth: AuthKind;
  /** In the order of the path; all are required. */
  path: readonly Parameter[];
  query: readonly Parameter[];
  headers: readonly Parameter[];
  body: Body | null;
  answer: Answer;
  /** Whether a repeat is recognized by an `Idempotency-Key`. A method without changes nothing, and may be repeated as it is. */
  takesIdempotencyKey: boolean;
  patience: Patience;
}

export interface Resource {
  /** `apiKeys`. */
  name: string;
  description: string;
  methods: readonly Method[];
}

export interface SdkApi {
  /** The dated version that the SDK pins by `X-API-Version`. */
  version: string;
  resources: readonly Resource[];
  models: readonly Model[];
  eventUnions: readonly EventUnion[];
  webhookEvents: readonly WebhookEvent[];
  /** Codes of errors with the status that each comes with. */
  errors: readonly { code: string; status: number }[];
}
