import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Static, TSchema } from '@sinclair/typebox';
import type { ErrorCode } from '../../core/errors/error-codes.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { Charge, Limit } from '../../services/requests/rate-limiter.ts';
import type { ExcerptLimits } from '../../services/conversations/conversation-service.ts';
import type { Services } from '../../services/services.ts';
import type { AccessNotice } from '../../services/team/access-words.ts';
import type { Deprecation } from './response/deprecation.ts';
import type { GuessKind } from './limits/guess-limit.ts';
import type { AuthKind, ContextOf } from './access/principal.ts';
import type { Scope } from './access/scopes.ts';
import type { EncodedContent } from '../../web/encoded-content.ts';
import { listNamedResources, type NamedResource } from './schemas/named-resource.ts';
import type { FieldHints } from './schemas/validate.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

type Tag =
  | 'auth'
  | 'bots'
  | 'versions'
  | 'test-sets'
  | 'directory'
  | 'knowledge'
  | 'conversations'
  | 'contacts'
  | 'inbox'
  | 'widget'
  | 'email-preferences'
  | 'alerts'
  | 'bookings'
  | 'flows'
  | 'webhooks'
  | 'billing'
  | 'encryption'
  | 'usage'
  | 'analytics'
  | 'archive'
  | 'orgs'
  | 'members'
  | 'api-keys'
  | 'tool-invocations'
  | 'requests'
  | 'meta';

/** Declares a response that is not only JSON: a schema for each media type, null for binary content. */
export interface ContentSpec {
  readonly content: Record<string, TSchema | null>;
  readonly description: string;
}

export type ResponseSpec = TSchema | ContentSpec;

export function isContentSpec(spec: ResponseSpec): spec is ContentSpec {
  return 'content' in spec && 'description' in spec && !('type' in spec);
}

/** A server-sent event. Clients send `id` back as Last-Event-ID when they reconnect. */
export interface ServerSentEvent {
  id?: string;
  event: string;
  data: unknown;
}

/** Result of a handler that is not plain JSON: a stream, file, page, redirect or encoded content. */
export type Reply =
  | { kind: 'stream'; events: AsyncIterable<ServerSentEvent> }
  | {
      kind: 'file';
      content: Readable;
      contentType: string;
      /** Size of the file; undefined if its content is generated while it is sent. */
      sizeBytes?: number | undefined;
      /** True if the whole file is in memory until it is sent. */
      isInMemory?: true;
      headers: Record<string, string>;
    }
  /**
   * Content that is compressed already, with an ETag. Caches store the content and ask whether it has
   * changed.
   */
  | { kind: 'encoded'; content: EncodedContent; contentType: string; vary: string }
  | { kind: 'page'; html: string }
  | { kind: 'redirect'; location: string };

export const replyWith = {
  stream: (events: AsyncIterable<ServerSentEvent>): Reply => ({ kind: 'stream', events }),
  file: (file: Omit<Extract<Reply, { kind: 'file' }>, 'kind'>): Reply => ({ kind: 'file', ...file }),
  encoded: (reply: Omit<Extract<Reply, { kind: 'encoded' }>, 'kind'>): Reply => ({
    kind: 'encoded',
    ...reply,
  }),
  /** Sends an HTML page, with a content security policy for pages. */
  page: (html: string): Reply => ({ kind: 'page', html }),
  /** Redirects a browser. The operation must declare the status 302. */
  redirect: (location: string): Reply => ({ kind: 'redirect', location }),
};

/** The file in a multipart body, as a stream that the handler must consume or destroy. */
interface UploadedFile {
  filename: string;
  declaredType: string;
  content: Readable;
}

/** A multipart body: one file, and text fields before or after it. */
export interface Upload {
  file: UploadedFile;
  /**
   * Returns the text fields, after the whole body was read.
   * @throws AppError if the fields do not match their schema
   */
  fields(): Promise<Record<string, string>>;
}

/** An object that a request has written, for the audit log. The request engine derives missing fields. */
export interface AuditedObject {
  /** Workspace whose audit log gets the entry; by default the caller's. */
  orgId?: string;
  resourceType?: string;
  resourceId?: string;
  /** Name of the action for the audit log, for operations that have several actions. */
  action?: string;
}

export interface HandlerInput<A extends AuthKind, P, Q, B> {
  ctx: ContextOf<A>;
  params: P;
  query: Q;
  body: B;
  /** Media type of the response that the client prefers, by its Accept header. */
  accepts: string;
  headers: IncomingHttpHeaders;
  /**
   * Length limits of message excerpts that a caller within this process requests, such as an MCP tool;
   * undefined for whole texts.
   */
  excerpt: ExcerptLimits | undefined;
  /**
   * True if the client requests only headers (HEAD), as link checkers do. The request must then have no
   * effect.
   */
  isHead: boolean;
  idempotencyKey: string | undefined;
  /**
   * Marks the response as a replay of an earlier response. For handlers that detect repeated requests
   * themselves.
   */
  markReplay(): void;
  /** Sets a cookie in the response. */
  setCookie(cookie: string): void;
  /**
   * Sets the header Link to the rest of a list: this request's URL with these query parameters. Null if the
   * response ends the list.
   */
  linkNext(query: Record<string, string> | null): void;
  /**
   * Names of the fields that the client sent. `body` also contains the defaults of fields that the client
   * omitted.
   */
  sentFields: readonly string[];
  /**
   * Records the written objects for the audit log, if path, response and body do not identify them. An empty
   * list means that nothing was written.
   */
  noteSubjects(subjects: readonly AuditedObject[]): void;
  /** Emails the workspace's owners after the write, for operations with `notifies: 'handler'`. */
  notifyOwners(notice: AccessNotice): void;
  /** Returns a signal that aborts when the client disconnects. */
  getCloseSignal(): AbortSignal;
  /** Returns whether the caller still has the required rights. For long responses. */
  isStillEntitled(): Promise<boolean>;
}

/** Additional input of `handle`: the result of `prepare`. */
interface WithPrepared<T> {
  prepared: T;
}

/** Received data, such as an uploaded file, that must be discarded if the write fails. */
export interface ReceivedData {
  /** Identifies the received data when a request with an idempotency key is repeated. */
  fingerprint: unknown;
  discard(): Promise<void>;
}

export function isReceivedData(prepared: unknown): prepared is ReceivedData {
  return (
    typeof prepared === 'object' && prepared !== null && 'discard' in prepared && 'fingerprint' in prepared
  );
}

/** Result of `prepare` that must be released after the transaction regardless of its outcome. */
export interface Releasable {
  release(): void;
}

export function isReleasable(prepared: unknown): prepared is Releasable {
  return typeof prepared === 'object' && prepared !== null && 'release' in prepared;
}

type ScopeOf<A extends AuthKind> = A extends 'member' ? Scope : A extends 'user' ? Scope | null : null;

type ParsedPart<S> = S extends TSchema ? Static<S> : undefined;
type ParsedBody<B> = B extends MultipartSpec ? Upload : B extends RawSpec ? Buffer : ParsedPart<B>;
type SuccessOf<R> =
  R extends Record<number, infer S> ? (S extends TSchema ? Static<S> : Reply | object) : never;

/** A multipart/form-data body with a required `file` and optional text fields. */
export interface MultipartSpec {
  readonly multipart: TSchema;
  /** Accepted media types of the uploaded file. */
  readonly fileTypes: readonly string[];
  /** Maximum size of the uploaded file in bytes; by default the setting for documents. */
  readonly maxFileBytes?: number;
}

export function isMultipart(body: object): body is MultipartSpec {
  return 'multipart' in body;
}

/** Declares a JSON body that the handler gets as raw bytes, since their signature must be verified. */
export interface RawSpec {
  /** Schema of the raw body for the OpenAPI document only; the body is not validated. */
  readonly raw: TSchema;
}

export function isRaw(body: object): body is RawSpec {
  return 'raw' in body;
}

export type BodySpec = TSchema | MultipartSpec | RawSpec;

/**
 * Returns the schema by which a request body is validated; undefined for an operation without a body or with
 * a raw one.
 */
export function getCheckedSchema(body: BodySpec | undefined): TSchema | undefined {
  if (body === undefined || isRaw(body)) return undefined;
  return isMultipart(body) ? body.multipart : body;
}

/** Returns whether a schema has required properties, so that the body cannot be omitted. */
export function isBodyRequired({ required }: TSchema): boolean {
  return Array.isArray(required) && required.length > 0;
}

/** Declares which requests of an operation need a recent sign-in. */
interface ProofCondition<B> {
  isNeeded(body: B): boolean;
  /** Text for the OpenAPI document that follows "… must have signed in within the last minutes". */
  where: string;
}

/** A guide about an operation, which the OpenAPI document links. */
interface Guide {
  path: string;
  title: string;
}

export interface OperationSpec<
  A extends AuthKind,
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends BodySpec | undefined,
  R extends Record<number, ResponseSpec>,
  T,
  M extends Method,
  Path extends string,
> {
  id: string;
  method: M;
  path: Path;
  tag: Tag;
  auth: A;
  /** Scope that an API key needs; null if it needs none. */
  scope: ScopeOf<A>;
  /** Role that a person needs in the workspace; null if none is needed. */
  role: A extends 'member' | 'session' ? OrgRole : null;
  params?: P;
  query?: Q;
  body?: B;
  /** The success response, by its status. An operation has only one success response. */
  responses: R;
  /** Error codes in addition to the codes that follow from the operation's other properties. */
  errors?: readonly ErrorCode[];
  /**
   * How writes use a transaction; by default `handle` runs in one.
   * - `manual`: the handler opens its own transactions and detects repeated requests itself, for example because it
   * continues after its response has begun.
   * - `statement`: the handler runs a single statement, which needs no transaction without an idempotency
   * key.
   */
  transaction?: 'manual' | 'statement';
  /** Descriptions of request headers that only this operation reads, by name. */
  headers?: Record<string, string>;
  /**
   * Defines how the resource's ETag is built and checked. Only for a GET that is the `revises` of a write.
   */
  revision?: Revision<HandlerInput<A, ParsedPart<P>, ParsedPart<Q>, ParsedBody<B>>>;
  /**
   * The GET of the resource that this operation changes. If the resource no longer matches the If-Match of a
   * request, the request is refused.
   */
  revises?: Operation;
  /** Maximum size of a JSON body in bytes; by default 1 MB. */
  maxBodyBytes?: number;
  /** Advice for error messages about unknown fields, by the names of these fields. */
  unknownFieldHints?: FieldHints;
  /**
   * Optimizes responses with thousands of objects. A property that any part of the schema declares may then
   * appear everywhere. A returned object must not change, since its JSON is cached.
   */
  isLarge?: true;
  /**
   * A read whose response may have megabytes. Its requests wait for one of a few slots, so that many requests
   * at once cannot fill the memory.
   */
  isLong?: true;
  /**
   * The operation reads or writes encrypted content. A request is refused early if the workspace's key is
   * unavailable.
   */
  readsContent?: true;
  /** The operation uses no database, so that its requests are not limited. For liveness checks. */
  isUnmetered?: true;
  /** Permits requests from any origin, since the widget runs on customers' pages. */
  cors?: true;
  /** The operation is public, but accepts an optional visitor token, which the handler verifies. */
  takesVisitorToken?: true;
  /**
   * Sentence for callers with an API key, which the operation refuses. Says how to reach the same result in
   * another way.
   */
  keyAlternative?: string;
  /** The handler checks the role itself, since people may change their own resources with any role. */
  decidesRole?: true;
  /**
   * The operation may end its caller's access, for example because the caller leaves a workspace. A repeated
   * request with the same Idempotency-Key and credential still gets the first response.
   */
  endsCaller?: true;
  /** Announces the operation's removal in the OpenAPI document and the headers of every response. */
  deprecated?: Deprecation;
  summary: string;
  /** Markdown that the OpenAPI document puts before the credentials that the operation needs. */
  explanation?: string;
  /** The guide that the OpenAPI document links: the path below /docs, and the text of the link. */
  guide?: Guide;
  /**
   * `access`: grants or revokes access beyond a session. `content`: exports or deletes content as a whole.
   * The table in docs/security.md lists each such operation, and the contract tests list all other writes.
   */
  exposes?: 'access' | 'content';
  /**
   * Sessions need a recent sign-in for this operation. With `or_in_body`, the handler accepts another proof
   * in the body instead.
   */
  freshProof?: true | 'or_in_body' | ProofCondition<ParsedBody<B>>;
  /**
   * Returns the email to the workspace's owners and to the person whose session was used; null for no email.
   * With `handler`, the handler calls `notifyOwners`.
   */
  notifies?:
    | 'handler'
    | ((
        input: HandlerInput<A, ParsedPart<P>, ParsedPart<Q>, ParsedBody<B>> & WithResult<SuccessOf<R>>,
      ) => AccessNotice | null);
  /** Kind of secret that a caller may guess with this operation. Wrong guesses are limited per IP address. */
  guesses?: GuessKind;
  /**
   * Returns limits in addition to the limits of the workspace or IP address. These additional limits only
   * count valid requests.
   */
  limits?: (
    input: HandlerInput<A, ParsedPart<P>, ParsedPart<Q>, ParsedBody<B>>,
    services: Services,
  ) => Promise<(Limit | Charge)[]>;
  /**
   * Runs before the transaction: for work outside of the database, such as receiving a file or calling a
   * server.
   */
  prepare?: (
    input: HandlerInput<A, ParsedPart<P>, ParsedPart<Q>, ParsedBody<B>>,
    services: Services,
  ) => Promise<T>;
  /** Returns whether a request needs `prepare`; by default all do. */
  needsPrepare?: (input: HandlerInput<A, ParsedPart<P>, ParsedPart<Q>, ParsedBody<B>>) => boolean;
  /**
   * Handles the request. Its effects must go through `ctx.db` only: if the request is a repeat, the
   * transaction is rolled back.
   */
  handle: (
    input: HandlerInput<A, ParsedPart<P>, ParsedPart<Q>, ParsedBody<B>> & WithPrepared<T>,
    services: Services,
  ) => Promise<SuccessOf<R> | Reply>;
  /**
   * Runs after the commit. Waits for work that the write has started, such as the delivery of a test webhook,
   * and returns the completed result.
   */
  settle?: (
    input: HandlerInput<A, ParsedPart<P>, ParsedPart<Q>, ParsedBody<B>> & WithResult<SuccessOf<R>>,
    services: Services,
  ) => Promise<SuccessOf<R>>;
}

/** Additional input of the stages that run after `handle`. */
interface WithResult<T> {
  result: T;
}

/** Defines how the ETag of a resource is built and checked. */
interface Revision<I> {
  /**
   * Fields of the resource that Parley itself changes, such as counters. A change of these fields does not
   * change the ETag.
   */
  ignores: readonly string[];
  /** Locks the resource until the end of the transaction. */
  lock: (input: I, services: Services) => Promise<unknown>;
}

type AnyInput = HandlerInput<AuthKind, unknown, unknown, unknown>;

/** An operation as the request engine processes it, with all defaults. */
export interface Operation {
  id: string;
  method: Method;
  path: string;
  tag: Tag;
  auth: AuthKind;
  scope: Scope | null;
  role: OrgRole | null;
  params: TSchema | undefined;
  query: TSchema | undefined;
  body: BodySpec | undefined;
  /** Query parameters with ids of resources, which must belong to the workspace. */
  namedResources: readonly NamedResource[];
  success: { status: number; spec: ResponseSpec };
  errors: readonly ErrorCode[];
  isWrite: boolean;
  transaction: 'auto' | 'manual' | 'statement';
  headers: Record<string, string>;
  revision: Revision<AnyInput> | undefined;
  revises: Operation | undefined;
  maxBodyBytes: number;
  unknownFieldHints: FieldHints;
  isLarge: boolean;
  isLong: boolean;
  readsContent: boolean;
  isUnmetered: boolean;
  cors: boolean;
  takesVisitorToken: boolean;
  keyAlternative: string | undefined;
  decidesRole: boolean;
  endsCaller: boolean;
  deprecated: Deprecation | undefined;
  summary: string;
  explanation: string | undefined;
  guide: Guide | undefined;
  exposes: 'access' | 'content' | undefined;
  freshProof: true | 'or_in_body' | ProofCondition<unknown> | undefined;
  notifies: 'handler' | ((input: AnyInput & WithResult<unknown>) => AccessNotice | null) | undefined;
  guesses: GuessKind | undefined;
  limits: ((input: AnyInput, services: Services) => Promise<(Limit | Charge)[]>) | undefined;
  prepare: ((input: AnyInput, services: Services) => Promise<unknown>) | undefined;
  needsPrepare: (input: AnyInput) => boolean;
  handle: (input: AnyInput & WithPrepared<unknown>, services: Services) => Promise<unknown>;
  settle: ((input: AnyInput & WithResult<unknown>, services: Services) => Promise<unknown>) | undefined;
}

/** An operation whose types contain its method, path and result, for callers that use these types. */
export interface DefinedOperation<
  M extends Method,
  Path extends string,
  R extends Record<number, ResponseSpec>,
> extends Operation {
  method: M;
  path: Path;
  /** Never set at run time; carries the type of the operation's response body for the compiler. */
  readonly _body?: BodyOf<R[keyof R & number]>;
}

type BodyOf<S> = S extends TSchema ? Static<S> : S extends { content: infer C } ? JsonOf<C> : never;
type JsonOf<C> = C extends { 'application/json': infer S extends TSchema } ? Static<S> : string;

const IF_MATCH =
  'The ETag that was returned with the resource. If the resource has changed since then, the request fails with 412. `*` always matches.';

const MAX_JSON_BODY_BYTES = 1024 * 1024;

/**
 * Defines an operation of the API. Routing, validation, the OpenAPI document and the SDKs are derived from
 * this definition (docs/patterns.md#operation).
 */
export function defineOperation<
  A extends AuthKind,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends BodySpec | undefined = undefined,
  R extends Record<number, ResponseSpec> = Record<number, ResponseSpec>,
  T = undefined,
  M extends Method = Method,
  const Path extends string = string,
>(spec: OperationSpec<A, P, Q, B, R, T, M, Path>): DefinedOperation<M, Path, R> {
  const [[status, success], ...others] = Object.entries(spec.responses) as [[string, ResponseSpec]];
  if (others.length > 0) throw new Error(`${spec.id} must have exactly one success response.`);
  const namedResources = listNamedResources(spec.query);
  return {
    ...spec,
    params: spec.params,
    query: spec.query,
    body: spec.body,
    namedResources,
    success: { status: Number(status), spec: success },
    errors: [
      ...(spec.errors ?? []),
      ...(spec.readsContent ? (['key_unavailable'] as const) : []),
      ...(spec.revises ? (['precondition_failed'] as const) : []),
      ...(namedResources.length > 0 ? (['not_found'] as const) : []),
    ],
    isWrite: spec.method !== 'GET',
    transaction: spec.transaction ?? 'auto',
    headers: { ...spec.headers, ...(spec.revises && { 'If-Match': IF_MATCH }) },
    revision: spec.revision as Operation['revision'],
    revises: spec.revises,
    maxBodyBytes: spec.maxBodyBytes ?? MAX_JSON_BODY_BYTES,
    unknownFieldHints: spec.unknownFieldHints ?? {},
    isLarge: spec.isLarge ?? false,
    isLong: spec.isLong ?? false,
    readsContent: spec.readsContent ?? false,
    isUnmetered: spec.isUnmetered ?? false,
    cors: spec.cors ?? false,
    takesVisitorToken: spec.takesVisitorToken ?? false,
    keyAlternative: spec.keyAlternative,
    decidesRole: spec.decidesRole ?? false,
    endsCaller: spec.endsCaller ?? false,
    deprecated: spec.deprecated,
    explanation: spec.explanation,
    guide: spec.guide,
    exposes: spec.exposes,
    freshProof: spec.freshProof as Operation['freshProof'],
    notifies: spec.notifies as Operation['notifies'],
    guesses: spec.guesses,
    limits: spec.limits as Operation['limits'],
    prepare: spec.prepare as Operation['prepare'],
    needsPrepare:
      (spec.needsPrepare as Operation['needsPrepare'] | undefined) ?? (() => spec.prepare !== undefined),
    handle: spec.handle as Operation['handle'],
    settle: spec.settle as Operation['settle'],
  };
}
