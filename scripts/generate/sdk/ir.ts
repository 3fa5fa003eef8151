/**
 * Language-independent description of the API, from which the SDKs are generated. Names are camelCase (methods,
 * resources) or PascalCase (models); `names.ts` converts them. Fields and parameters have the names that the API
 * uses.
 */

/** A type in the API's JSON. */
export type TypeRef =
  | { kind: 'unknown' }
  | { kind: 'string'; format?: string }
  | { kind: 'integer' }
  | { kind: 'number' }
  | { kind: 'boolean' }
  /** A single value, such as the tag of a union. */
  | { kind: 'literal'; value: string | number | boolean }
  /** Known values. An open enum, as in responses, may also have unknown ones. */
  | { kind: 'enum'; values: readonly string[]; isOpen: boolean }
  | { kind: 'list'; items: TypeRef }
  /** An object with arbitrary keys. */
  | { kind: 'map'; values: TypeRef }
  /** A member of `SdkApi.models`. */
  | { kind: 'model'; name: string }
  | { kind: 'union'; members: readonly TypeRef[] }
  | { kind: 'nullable'; of: TypeRef };

export interface Field {
  /** Name in the API. */
  name: string;
  type: TypeRef;
  isRequired: boolean;
  description: string;
}

/** An object with known fields. SDKs must accept unknown ones. */
export interface Model {
  name: string;
  description: string;
  fields: readonly Field[];
  /** Whether callers may send additional fields. */
  takesOthers: boolean;
  isSent: boolean;
  isReceived: boolean;
}

/** An event of a stream: `{ event, id, data }`. */
interface StreamEvent {
  /** Name in the API, such as `message.started`. */
  event: string;
  description: string;
  data: TypeRef;
  /** Whether the event ends the stream. */
  isLast: boolean;
}

/** The events of a stream. SDKs must accept unknown ones. */
export interface EventUnion {
  /** Name of the type: `WidgetEvent`. */
  name: string;
  description: string;
  events: readonly StreamEvent[];
}

/** Body of a webhook: `{ event, data }`. */
export interface WebhookEvent {
  event: string;
  /** Name of the type: `ConversationStartedEvent`. */
  name: string;
  description: string;
  data: TypeRef;
}

/** A parameter of a path, a query or an operation's own headers. */
export type Parameter = Field;

export type Body =
  | { kind: 'json'; type: TypeRef; isRequired: boolean }
  /** Signed bytes, which must be sent unchanged. */
  | { kind: 'raw'; contentType: string }
  /** A file with text fields. */
  | { kind: 'multipart'; fileField: string; fileTypes: readonly string[]; fields: readonly Field[] };

export type Answer =
  | { kind: 'json'; type: TypeRef }
  /**
   * `{ items, total, page, page_size, has_more, next_cursor }`. The next page is requested by `cursor` instead of
   * `page`.
   */
  | { kind: 'pages'; item: TypeRef }
  /**
   * A list. The next page is requested by `parameter` with the `field` of the last item, until a page has fewer items
   * than `limit`.
   */
  | { kind: 'keyset'; item: TypeRef; parameter: 'before' | 'after'; field: string; defaultLimit: number }
  | { kind: 'text'; mediaTypes: readonly string[] }
  | { kind: 'binary'; mediaTypes: readonly string[] }
  /** The URL that a browser is redirected to; SDKs do not follow it. */
  | { kind: 'redirect' }
  | { kind: 'stream'; union: string; resume: Resume };

/**
 * How a broken stream is resumed. `lastEventId`: the request is repeated with `Last-Event-ID`; a write also needs its
 * original `client_id`, which identifies the turn. `again`: the request is repeated, since the stream begins with the
 * current state. `never`: a repetition would generate the answer again.
 */
export type Resume = 'lastEventId' | 'again' | 'never';

/**
 * Credential of an operation: none, an API key or access token, an access token only, a visitor's token, or an
 * optional visitor's token.
 */
export type AuthKind = 'none' | 'key' | 'session' | 'visitor' | 'visitorIfAny';

/** Class of timeout: 30 s, 60 s for generated answers, 300 s for files, none for streams. */
export type Patience = 'usual' | 'generation' | 'transfer' | 'stream';

export interface Method {
  operationId: string;
  /** `getStatus`; unique within the resource. */
  name: string;
  http: { method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'; path: string };
  summary: string;
  description: string;
  isDeprecated: boolean;
  auth: AuthKind;
  /** Path parameters in order; all are required. */
  path: readonly Parameter[];
  query: readonly Parameter[];
  headers: readonly Parameter[];
  body: Body | null;
  answer: Answer;
  /**
   * Whether the operation accepts an `Idempotency-Key`. Operations without one change nothing and may be repeated.
   */
  takesIdempotencyKey: boolean;
  patience: Patience;
}

export interface Resource {
  /** Name in camelCase: `apiKeys`. */
  name: string;
  description: string;
  methods: readonly Method[];
}

export interface SdkApi {
  /** Dated version that the SDK sends as `X-API-Version`. */
  version: string;
  resources: readonly Resource[];
  models: readonly Model[];
  eventUnions: readonly EventUnion[];
  webhookEvents: readonly WebhookEvent[];
  /** Error codes with their HTTP statuses. */
  errors: readonly { code: string; status: number }[];
}
