import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Static, TSchema } from '@sinclair/typebox';
import type { ErrorCode } from '../../core/errors/error-codes.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { Charge, Limit } from '../../services/requests/rate-limiter.ts';
import type { Excerpt } from '../../services/conversations/conversation-service.ts';
import type { Services } from '../../services/services.ts';
import type { AccessNotice } from '../../services/team/access-words.ts';
import type { Deprecation } from './response/deprecation.ts';
import type { GuessKind } from './limits/guess-limit.ts';
import type { AuthKind, ContextOf } from './access/principal.ts';
import type { Scope } from './access/scopes.ts';
import { listNamedResources, type NamedResource } from './schemas/named-resource.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

type Tag =
  | 'auth'
  | 'bots'
  | 'versions'
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
  | 'meta';

/** A response that is not (only) JSON: the schema of each media type; binary content has none. */
export interface ContentSpec {
  readonly content: Record<string, TSchema | null>;
  readonly description: string;
}

export type ResponseSpec = TSchema | ContentSpec;

export function isContentSpec(spec: ResponseSpec): spec is ContentSpec {
  return 'content' in spec && 'description' in spec && !('type' in spec);
}

/** A server-sent event. `id` is what a client sends back as Last-Event-ID. */
export interface ServerSentEvent {
  id?: string;
  event: string;
  data: unknown;
}

/** A handler's result other than plain JSON of the success schema. */
export type Reply =
  | { kind: 'stream'; events: AsyncIterable<ServerSentEvent> }
  | {
      kind: 'file';
      content: Readable;
      contentType: string;
      /** Undefined if the content is generated while it is sent. */
      sizeBytes?: number;
      /** Whether it stays in memory until it is sent. */
      isInMemory?: true;
      headers: Record<string, string>;
    }
  | { kind: 'page'; html: string }
  | { kind: 'redirect'; location: string };

export const replyWith = {
  stream: (events: AsyncIterable<ServerSentEvent>): Reply => ({ kind: 'stream', events }),
  file: (file: Omit<Extract<Reply, { kind: 'file' }>, 'kind'>): Reply => ({ kind: 'file', ...file }),
  /** Sends a `page`, which has its own policy. */
  page: (html: string): Reply => ({ kind: 'page', html }),
  /** Redirects a browser; the operation declares 302. */
  redirect: (location: string): Reply => ({ kind: 'redirect', location }),
};

/** A file of a multipart body, streamed: it must be consumed or destroyed. */
interface UploadedFile {
  filename: string;
  declaredType: string;
  content: Readable;
}

/** A multipart body: one file, and text fields that arrive before or after it. */
export interface Upload {
  file: UploadedFile;
  /**
   * Returns the fields once the body has been read to its end.
   * @throws AppError if they do not fit their schema
   */
  fields(): Promise<Record<string, string>>;
}

/** The written object. The engine derives absent fields. */
export interface NotedSubject {
  /** Workspace whose log records it, if not the caller's. */
  orgId?: string;
  resourceType?: string;
  resourceId?: string;
  /** The action, if the operation has several. */
  action?: string;
}

export interface HandlerInput<A extends AuthKind, P, Q, B> {
  ctx: ContextOf<A>;
  params: P;
  query: Q;
  body: B;
  /** The Accept header's best media type among those of the success response. */
  accepts: string;
  headers: IncomingHttpHeaders;
  /** Length of messages for a caller within this process; undefined for whole texts. */
  excerpt: Excerpt | undefined;
  /** Whether only headers are requested, as by link checkers: the request must have no effect. */
  isHead: boolean;
  idempotencyKey: string | undefined;
  /** Marks the response as that of an earlier request; for handlers that recognize repeats themselves. */
  markReplay(): void;
  /** Sets a cookie in the response. */
  setCookie(cookie: string): void;
  /** Names of the fields that were sent; `body` also has defaults of others. */
  sentFields: readonly string[];
  /**
   * Records the written objects for the audit log, if path, response and body do not identify them. An empty list if
   * nothing was written.
   */
  noteSubjects(subjects: readonly NotedSubject[]): void;
  /** Mails owners after the write, for operations that declare `notifies: 'handler'`. */
  notifyOwners(notice: AccessNotice): void;
  /** Returns a signal that aborts when the caller disconnects. */
  untilGone(): AbortSignal;
  /** Returns whether the caller still has the required rights; for long responses. */
  isStillEntitled(): Promise<boolean>;
}

/** The result of `prepare` for `handle`. */
interface WithPrepared<T> {
  prepared: T;
}

/** Received data that must be discarded if the write fails. */
export interface Received {
  /** Identifies its content. */
  fingerprint: unknown;
  discard(): Promise<void>;
}

export function isReceived(prepared: unknown): prepared is Received {
  return (
    typeof prepared === 'object' && prepared !== null && 'discard' in prepared && 'fingerprint' in prepared
  );
}

/** Prepared data to release once its transaction has ended in any way. */
export interface Releasable {
  release(): void;
}

export function isReleasable(prepared: unknown): prepared is Releasable {
  return typeof prepared === 'object' && prepared !== null && 'release' in prepared;
}

type ScopeOf<A extends AuthKind> = A extends 'member' ? Scope : A extends 'user' ? Scope | null : null;

type Parsed<S> = S extends TSchema ? Static<S> : undefined;
type ParsedBody<B> = B extends MultipartSpec ? Upload : B extends RawSpec ? Buffer : Parsed<B>;
type SuccessOf<R> =
  R extends Record<number, infer S> ? (S extends TSchema ? Static<S> : Reply | object) : never;

/** A multipart/form-data body with a required `file` and optional text fields. */
export interface MultipartSpec {
  readonly multipart: TSchema;
  /** Accepted media types of the file. */
  readonly fileTypes: readonly string[];
  /** Maximum size of the file in bytes, if it is not the setting for documents. */
  readonly maxFileBytes?: number;
}

export function isMultipart(body: object): body is MultipartSpec {
  return 'multipart' in body;
}

/** A JSON body that the handler gets as raw bytes, because a signature covers them. */
export interface RawSpec {
  /** Documents the body, but does not validate it. */
  readonly raw: TSchema;
}

export function isRaw(body: object): body is RawSpec {
  return 'raw' in body;
}

export type BodySpec = TSchema | MultipartSpec | RawSpec;

/** Returns the schema that validates a body; undefined for an uninspected body. */
export function getCheckedSchema(body: BodySpec | undefined): TSchema | undefined {
  if (body === undefined || isRaw(body)) return undefined;
  return isMultipart(body) ? body.multipart : body;
}

/** Returns whether the schema requires a body. */
export function isBodyRequired({ required }: TSchema): boolean {
  return Array.isArray(required) && required.length > 0;
}

/** Condition of requests that need a fresh sign-in, if not all do. */
interface ProofCondition<B> {
  isNeeded(body: B): boolean;
  /** Completes a sentence of the API's document: "… must have signed in within the last minutes". */
  where: string;
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
  /** The scope that an API key needs. */
  scope: ScopeOf<A>;
  /** The role that the person needs in the workspace. */
  role: A extends 'member' | 'session' ? OrgRole : null;
  params?: P;
  query?: Q;
  body?: B;
  /** The only success status and its content. */
  responses: R;
  /** Error codes in addition to those of every operation of its kind. */
  errors?: readonly ErrorCode[];
  /**
   * `manual`: the handler opens its own transactions and recognizes repeats itself, because it continues after its
   * response has begun. `statement`: it writes with a single statement, which needs no transaction unless the request
   * is named.
   */
  transaction?: 'manual' | 'statement';
  /** Request headers that only this operation reads, with their descriptions. */
  headers?: Record<string, string>;
  /** Maximum JSON body in bytes, if it is not the usual 1 MB. */
  maxBodyBytes?: number;
  /**
   * The response has thousands of objects. Serializing omits properties that no part of the schema declares. A returned
   * object is cached with its JSON, so it must not change.
   */
  isLarge?: true;
  /** Reads or writes content: refused before any work if the workspace’s key is unavailable. */
  readsContent?: true;
  /** Uses no database, not even to count the call: liveness. */
  isUnmetered?: true;
  /** Responds to any Origin, for the widget on customers' pages. */
  cors?: true;
  /** The operation is public; the handler distinguishes visitors by an optional token. */
  takesVisitorToken?: true;
  /** The handler checks the role itself, because everyone may do this to their own resources. */
  decidesRole?: true;
  /**
   * May end the access that its caller would need for a repeat, as leaving a workspace does. A repeat with the
   * Idempotency-Key then gets the first response by the credential that sent it.
   */
  endsCaller?: true;
  /** Planned removal, announced in the document and in the headers of every response. */
  deprecated?: Deprecation;
  summary: string;
  /**
   * Grants or revokes access beyond a session, or exports or deletes content as a whole. The table in
   * docs/security.md has a row for each, and the contract tests list every write that does neither.
   */
  exposes?: 'access' | 'content';
  /**
   * Requires a session that began within the last minutes. `or_shown`: the handler accepts another proof in the body.
   */
  freshProof?: true | 'or_shown' | ProofCondition<ParsedBody<B>>;
  /** Mail to the workspace's owners and the person whose session was used. `handler`: the handler decides. */
  notifies?:
    | 'handler'
    | ((
        input: HandlerInput<A, Parsed<P>, Parsed<Q>, ParsedBody<B>> & Handled<SuccessOf<R>>,
      ) => AccessNotice | null);
  /** Secret that a caller may guess: wrong guesses of one address are limited. */
  guesses?: GuessKind;
  /** Limits in addition to the workspace's or the address's, charged once the request is valid. */
  limits?: (
    input: HandlerInput<A, Parsed<P>, Parsed<Q>, ParsedBody<B>>,
    services: Services,
  ) => Promise<(Limit | Charge)[]>;
  /** Waits for external work for a valid request, before the transaction opens. */
  prepare?: (input: HandlerInput<A, Parsed<P>, Parsed<Q>, ParsedBody<B>>, services: Services) => Promise<T>;
  /** Returns whether this request needs `prepare`; by default each does. */
  isPreparing?: (input: HandlerInput<A, Parsed<P>, Parsed<Q>, ParsedBody<B>>) => boolean;
  /**
   * Handles the request, with effects only through `ctx.db`: it may run in a failed transaction if the request is a
   * repeat.
   */
  handle: (
    input: HandlerInput<A, Parsed<P>, Parsed<Q>, ParsedBody<B>> & WithPrepared<T>,
    services: Services,
  ) => Promise<SuccessOf<R> | Reply>;
  /** Waits after the commit for work that the write has started, and completes the response. */
  settle?: (
    input: HandlerInput<A, Parsed<P>, Parsed<Q>, ParsedBody<B>> & Handled<SuccessOf<R>>,
    services: Services,
  ) => Promise<SuccessOf<R>>;
}

/** The result of `handle`, for later stages. */
interface Handled<T> {
  result: T;
}

type AnyInput = HandlerInput<AuthKind, unknown, unknown, unknown>;

/** An operation as the engine sees it. */
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
  /** Query parameters that name resources of the workspace. */
  namedResources: readonly NamedResource[];
  success: { status: number; spec: ResponseSpec };
  errors: readonly ErrorCode[];
  isWrite: boolean;
  transaction: 'auto' | 'manual' | 'statement';
  headers: Record<string, string>;
  maxBodyBytes: number;
  isLarge: boolean;
  readsContent: boolean;
  isUnmetered: boolean;
  cors: boolean;
  takesVisitorToken: boolean;
  decidesRole: boolean;
  endsCaller: boolean;
  deprecated: Deprecation | undefined;
  summary: string;
  exposes: 'access' | 'content' | undefined;
  freshProof: true | 'or_shown' | ProofCondition<unknown> | undefined;
  notifies: 'handler' | ((input: AnyInput & Handled<unknown>) => AccessNotice | null) | undefined;
  guesses: GuessKind | undefined;
  limits: ((input: AnyInput, services: Services) => Promise<(Limit | Charge)[]>) | undefined;
  prepare: ((input: AnyInput, services: Services) => Promise<unknown>) | undefined;
  isPreparing: (input: AnyInput) => boolean;
  handle: (input: AnyInput & WithPrepared<unknown>, services: Services) => Promise<unknown>;
  settle: ((input: AnyInput & Handled<unknown>, services: Services) => Promise<unknown>) | undefined;
}

/** An operation whose types state its path and result, for its callers. */
export interface DefinedOperation<
  M extends Method,
  Path extends string,
  R extends Record<number, ResponseSpec>,
> extends Operation {
  method: M;
  path: Path;
  /** Used by the compiler only. */
  readonly _body?: BodyOf<R[keyof R & number]>;
}

type BodyOf<S> = S extends TSchema ? Static<S> : S extends { content: infer C } ? JsonOf<C> : never;
type JsonOf<C> = C extends { 'application/json': infer S extends TSchema } ? Static<S> : string;

const MAX_JSON_BODY_BYTES = 1024 * 1024;

/**
 * Defines an operation of the API as one value. Routing, checks, the OpenAPI document and the SDKs are derived from it:
 * docs/patterns.md#operation.
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
      ...(namedResources.length > 0 ? (['not_found'] as const) : []),
    ],
    isWrite: spec.method !== 'GET',
    transaction: spec.transaction ?? 'auto',
    headers: spec.headers ?? {},
    maxBodyBytes: spec.maxBodyBytes ?? MAX_JSON_BODY_BYTES,
    isLarge: spec.isLarge ?? false,
    readsContent: spec.readsContent ?? false,
    isUnmetered: spec.isUnmetered ?? false,
    cors: spec.cors ?? false,
    takesVisitorToken: spec.takesVisitorToken ?? false,
    decidesRole: spec.decidesRole ?? false,
    endsCaller: spec.endsCaller ?? false,
    deprecated: spec.deprecated,
    exposes: spec.exposes,
    freshProof: spec.freshProof as Operation['freshProof'],
    notifies: spec.notifies as Operation['notifies'],
    guesses: spec.guesses,
    limits: spec.limits as Operation['limits'],
    prepare: spec.prepare as Operation['prepare'],
    isPreparing:
      (spec.isPreparing as Operation['isPreparing'] | undefined) ?? (() => spec.prepare !== undefined),
    handle: spec.handle as Operation['handle'],
    settle: spec.settle as Operation['settle'],
  };
}
