/**
 * Language-independent description of the API, from which the SDKs are generated. Names are camelCase (methods,
 * resources) or PascalCase (models); `names.ts` converts them. Fields and parameters have the names that the API
 * uses.
 */

/** A type of values in the API's JSON. */
export type TypeRef =
  | { kind: 'unknown' }
  | { kind: 'string'; format?: string }
  | { kind: 'integer' }
  | { kind: 'number' }
  | { kind: 'boolean' }
  /** A type with one constant value, such as the tag of a union. */
  | { kind: 'literal'; value: string | number | boolean }
  /** A value from a list of constants. If the enum is open, as in responses, unknown values may occur as well. */
  | { kind: 'enum'; values: readonly string[]; isOpen: boolean }
  | { kind: 'list'; items: TypeRef }
  /** An object with arbitrary keys, whose values have the same type. */
  | { kind: 'map'; values: TypeRef }
  /** An object, by the name of its model in `SdkApi.models`. */
  | { kind: 'model'; name: string }
  | { kind: 'union'; members: readonly TypeRef[] }
  | { kind: 'nullable'; of: TypeRef };

export interface Field {
  /** Name of the field in the API's JSON. */
  name: string;
  type: TypeRef;
  isRequired: boolean;
  description: string;
}

/** An object with known fields. SDKs must accept unknown fields in responses. */
export interface Model {
  name: string;
  description: string;
  fields: readonly Field[];
  /** True if callers may send fields that the model does not list. */
  allowsAdditionalFields: boolean;
  isSent: boolean;
  isReceived: boolean;
}

/** An event of a response stream: `{ event, id, data }`. */
interface StreamEvent {
  /** Name of the event in the API, such as `message.started`. */
  event: string;
  description: string;
  data: TypeRef;
  /** True if the stream ends after this event. */
  isLast: boolean;
}

/** All events of a stream. SDKs must accept unknown events. */
export interface EventUnion {
  /** Name of the generated type of a stream's events, such as `WidgetEvent`. */
  name: string;
  description: string;
  events: readonly StreamEvent[];
}

/** The body `{ event, data }` of one kind of webhook event. */
export interface WebhookEvent {
  event: string;
  /** Name of the generated type of a webhook event, such as `ConversationStartedEvent`. */
  name: string;
  description: string;
  data: TypeRef;
}

/** A parameter in the path or the query of an operation, or a header that only this operation has. */
export type Parameter = Field;

export type Body =
  | { kind: 'json'; type: TypeRef; isRequired: boolean }
  /** A request body of bytes that its sender has signed. The SDK must send them unchanged. */
  | { kind: 'raw'; contentType: string }
  /** A request body that is a form with a file and text fields. */
  | { kind: 'multipart'; fileField: string; fileTypes: readonly string[]; fields: readonly Field[] };

export type Answer =
  | { kind: 'json'; type: TypeRef }
  /**
   * A response with a page of a list: `{ items, total, page, page_size, has_more, next_cursor }`. The SDK
   * requests the next page with `cursor` instead of `page`.
   */
  | { kind: 'pages'; item: TypeRef }
  /**
   * A response with a list without page numbers. The SDK requests the next items with the query parameter
   * `parameter`, whose value is the `field` of the last item. The last page has fewer items than `limit`.
   */
  | { kind: 'keyset'; item: TypeRef; parameter: 'before' | 'after'; field: string; defaultLimit: number }
  | { kind: 'text'; mediaTypes: readonly string[] }
  | { kind: 'binary'; mediaTypes: readonly string[] }
  /** A response that redirects the browser. SDKs return its URL without following it. */
  | { kind: 'redirect' }
  | { kind: 'stream'; union: string; resume: Resume };

/**
 * The way in which an SDK resumes a broken stream. `lastEventId`: repeat the request with `Last-Event-ID`; a
 * write also needs its original `client_id`, which identifies the turn. `again`: repeat the request, because
 * the stream begins with the current state. `never`: do not repeat the request, because the answer would be
 * generated again.
 */
export type Resume = 'lastEventId' | 'again' | 'never';

/**
 * Kind of credential that an operation needs. `key`: an API key or access token; `session`: an access token
 * only; `visitor`: a visitor's token; `visitorIfAny`: an optional visitor's token.
 */
export type AuthKind = 'none' | 'key' | 'session' | 'visitor' | 'visitorIfAny';

/**
 * Class of a method's timeout in the SDK. `default`: 30 s; `generation`, for generated answers: 60 s;
 * `transfer`, for files: 300 s; `stream`: none.
 */
export type TimeoutClass = 'default' | 'generation' | 'transfer' | 'stream';

export interface Method {
  operationId: string;
  /** Name of the SDK method, such as `getStatus`; unique within the resource. */
  name: string;
  http: { method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'; path: string };
  summary: string;
  description: string;
  isDeprecated: boolean;
  auth: AuthKind;
  /** Parameters in the path of the operation, in the order of the path; all are required. */
  path: readonly Parameter[];
  query: readonly Parameter[];
  headers: readonly Parameter[];
  body: Body | null;
  answer: Answer;
  /**
   * True if the operation accepts an `Idempotency-Key`. Other operations change nothing, so the SDK may
   * repeat their requests.
   */
  takesIdempotencyKey: boolean;
  timeoutClass: TimeoutClass;
}

export interface Resource {
  /** Name of the SDK's resource in camelCase, such as `apiKeys`. */
  name: string;
  description: string;
  methods: readonly Method[];
}

export interface SdkApi {
  /** Dated API version that the SDK sends as `X-API-Version`. */
  version: string;
  resources: readonly Resource[];
  models: readonly Model[];
  eventUnions: readonly EventUnion[];
  webhookEvents: readonly WebhookEvent[];
  /** Error codes of the API with their HTTP statuses. */
  errors: readonly { code: string; status: number }[];
}
