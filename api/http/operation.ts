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

/** A response that is not (only) JSON: the schema of each media type it may have; binary content has none. */
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
      /** Unknown of what is made while it is sent. */
      sizeBytes?: number;
      /** Whether all of it is in memory until it is sent. */
      isInMemory?: true;
      headers: Record<string, string>;
    }
  | { kind: 'page'; html: string }
  | { kind: 'redirect'; location: string };

export const replyWith = {
  stream: (events: AsyncIterable<ServerSentEvent>): Reply => ({ kind: 'stream', events }),
  file: (file: Omit<Extract<Reply, { kind: 'file' }>, 'kind'>): Reply => ({ kind: 'file', ...file }),
  /** A `page`, which has its own policy. */
  page: (html: string): Reply => ({ kind: 'page', html }),
  /** Sends a browser elsewhere; the operation declares 302. */
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
  /** The fields, once the body has been read to its end. @throws AppError when they do not fit their schema */
  fields(): Promise<Record<string, string>>;
}

/** The written object. The engine derives absent fields. */
export interface NotedSubject {
  /** The workspace that has it in its log, where it is not the caller's. */
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
  /** The Accept header's best media type among those that the success response declares. */
  accepts: string;
  headers: IncomingHttpHeaders;
  /** How much of its messages a caller within this process reads; undefined for whole texts. */
  excerpt: Excerpt | undefined;
  /** Whether nothing but headers is asked for, as by those who look where a link leads: nothing may come of it. */
  isHead: boolean;
  idempotencyKey: string | undefined;
  /** Tells the caller that this is the response to an earlier request; for handlers that recognise one themselves. */
  markReplay(): void;
  /** Has the response set a cookie. */
  setCookie(cookie: string): void;
  /** Names of the body's fields that were sent: `body` has the defaults of others, too. */
  sentFields: readonly string[];
  /** Tells the audit log what was written to, where path, response and body do not say so; nothing, if nothing was. */
  noteSubjects(subjects: readonly NotedSubject[]): void;
  /** Has owners mailed, of operations that declare `notifies: 'handler'`; once the write is handled. */
  notifyOwners(notice: AccessNotice): void;
  /** Aborted when the caller goes away. */
  untilGone(): AbortSignal;
  /** Whether the caller may do this now; for responses that go on for long. */
  isStillEntitled(): Promise<boolean>;
}

/** The result of `prepare` for `handle`. */
interface WithPrepared<T> {
  prepared: T;
}

/** Something received that has to go again when the write it was received for does not happen. */
export interface Received {
  /** Distinguishes it from any other input. */
  fingerprint: unknown;
  discard(): Promise<void>;
}

export function isReceived(prepared: unknown): prepared is Received {
  return (
    typeof prepared === 'object' && prepared !== null && 'discard' in prepared && 'fingerprint' in prepared
  );
}

/** Something that others wait for until the transaction that it was prepared for has ended, however it did. */
export interface Releasable {
  release(): void;
}

export function isReleasable(prepared: unknown): prepared is Releasable {
  return typeof prepared === 'object' && prepared !== null && 'done' in prepared;
}

type ScopeOf<A extends AuthKind> = A extends 'member' ? Scope : A extends 'user' ? Scope | null : null;

type Parsed<S> = S extends TSchema ? Static<S> : undefined;
type ParsedBody<B> = B extends MultipartSpec ? Upload : B extends RawSpec ? Buffer : Parsed<B>;
type SuccessOf<R> =
  R extends Record<number, infer S> ? (S extends TSchema ? Static<S> : Reply | object) : never;

/** A multipart/form-data body with a required `file` and optional text fields. */
export interface MultipartSpec {
  readonly multipart: TSchema;
  /** Media types that the file may have. */
  readonly fileTypes: readonly string[];
  /** Size of the largest file in bytes, where it is not the setting for documents. */
  readonly maxFileBytes?: number;
}

export function isMultipart(body: object): body is MultipartSpec {
  return 'multipart' in body;
}

/** A JSON body that is handed over byte by byte as it came, because a signature is about its bytes. */
export interface RawSpec {
  /** Documents the body; it is not validated against it. */
  readonly raw: TSchema;
}

export function isRaw(body: object): body is RawSpec {
  return 'raw' in body;
}

export type BodySpec = TSchema | MultipartSpec | RawSpec;

/** The schema that validates a body; undefined for an uninspected body. */
export function getCheckedSchema(body: BodySpec | undefined): TSchema | undefined {
  if (body === undefined || isRaw(body)) return undefined;
  return isMultipart(body) ? body.multipart : body;
}

/** Whether a request without a body breaks a rule of this schema. */
export function isBodyRequired({ required }: TSchema): boolean {
  return Array.isArray(required) && required.length > 0;
}

/** Requests that need a fresh sign-in, where not all do. */
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
  /** The one success status and what it returns. */
  responses: R;
  /** Codes beyond those that every operation of its kind can respond with. */
  errors?: readonly ErrorCode[];
  /**
   * `manual`: the handler opens its own transactions and recognises repeats itself, because it goes on after its response has begun.
   * `statement`: it writes by one statement, which needs no transaction unless the request is named.
   */
  transaction?: 'manual' | 'statement';
  /** Request headers that only this operation reads, with their descriptions. */
  headers?: Record<string, string>;
  /** Largest JSON body in bytes, where it is not the usual 1 MB. */
  maxBodyBytes?: number;
  /**
   * Returns thousands of objects, of which it leaves out properties that no part of the schema declares. A response
   * that is given again is not rendered again, so that it must not be changed.
   */
  isLarge?: true;
  /** Reads or writes content: where the workspace’s key is out of reach, it is refused before anything is done. */
  readsContent?: true;
  /** Touches no store, not even to count the call: liveness. */
  isUnmetered?: true;
  /** Responds to any Origin: what the widget calls from customers' pages. */
  cors?: true;
  /** The operation is public; the handler distinguishes visitors by an optional token. */
  takesVisitorToken?: true;
  /** The handler checks the role itself, because everyone may do this to their own resources. */
  decidesRole?: true;
  /**
   * May take the access that its caller would need to repeat it, as leaving a workspace does: a repeat with the
   * Idempotency-Key then gets the first response by the credential that sent it.
   */
  endsCaller?: true;
  /** Goes away: said in the document and in the headers of every response. */
  deprecated?: Deprecation;
  summary: string;
  /**
   * Grants or revokes access beyond a session, or exports or deletes content as a whole. The table in
   * docs/security.md has a row for each, and the contract tests list every write that does neither.
   */
  exposes?: 'access' | 'content';
  /** Sessions must have begun within the last minutes. `or_shown`: the handler takes something of the body in its place. */
  freshProof?: true | 'or_shown' | ProofCondition<ParsedBody<B>>;
  /** The mail to the workspace's owners and the person whose session was used. `handler`: it depends on what has changed. */
  notifies?:
    | 'handler'
    | ((
        input: HandlerInput<A, Parsed<P>, Parsed<Q>, ParsedBody<B>> & Handled<SuccessOf<R>>,
      ) => AccessNotice | null);
  /** The secret that a caller may guess: wrong guesses of one address are limited. */
  guesses?: GuessKind;
  /** Limits beyond the workspace's or the address's, spent once the request is known to be valid. */
  limits?: (
    input: HandlerInput<A, Parsed<P>, Parsed<Q>, ParsedBody<B>>,
    services: Services,
  ) => Promise<(Limit | Charge)[]>;
  /** Waits for external work for a valid request, before the transaction opens. */
  prepare?: (input: HandlerInput<A, Parsed<P>, Parsed<Q>, ParsedBody<B>>, services: Services) => Promise<T>;
  /** Whether this request has something to prepare; by default each has. */
  isPreparing?: (input: HandlerInput<A, Parsed<P>, Parsed<Q>, ParsedBody<B>>) => boolean;
  /** Has no effect but by `ctx.db`: it may run in a transaction that has failed already, because the request is a repeat. */
  handle: (
    input: HandlerInput<A, Parsed<P>, Parsed<Q>, ParsedBody<B>> & WithPrepared<T>,
    services: Services,
  ) => Promise<SuccessOf<R> | Reply>;
  /** Waits, once all is committed, for what the write has set off, and completes the response. */
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
  /** Parameters of the query that name resources of the workspace. */
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

/** An operation whose types tell where it is and what it returns: for those who call it. */
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

/** An operation of the API is this one value; routing, checks, the OpenAPI document and the SDKs come from it: docs/patterns.md#operation. */
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
