/** What `fetch` is called as. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Where Parley is: `https://chat.example.com`. */
  baseUrl: string;
  /** An API key (`parley_live_…`), or the access token of somebody who is signed in. */
  apiKey?: string | undefined;
  /** The `visitor_token` of a widget session, for what visitors do. */
  visitorToken?: string | undefined;
  /** In place of the global one. */
  fetch?: Fetch | undefined;
  /**
   * For how long each attempt of a call may take: by default 30 s, 60 s where a model writes and 300 s where files are sent or
   * fetched. Of streams it is the time until they are open. `Infinity` sets no bound.
   */
  timeoutMs?: number | undefined;
  /** A stream of which nothing has come for so long has broken off: 45 s by default. */
  streamSilenceMs?: number | undefined;
  /** How often a call is repeated that failed for reasons that pass: 2 by default. */
  maxRetries?: number | undefined;
}

/** What a single call may have otherwise than the client. */
export interface CallOptions {
  /** Ends the call: its promise is rejected with the reason of the signal. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Names a write, so that it has its effect once however often it is sent. By default each call has one of its own. */
  idempotencyKey?: string | undefined;
  /** In place of the client's. */
  visitorToken?: string | undefined;
  /** Sent beside the headers of the SDK. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export type Patience = 'usual' | 'generation' | 'transfer' | 'stream';

/** What the SDK knows of an operation. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly auth: 'none' | 'key' | 'session' | 'visitor' | 'visitorIfAny';
  readonly takesIdempotencyKey: boolean;
  readonly patience: Patience;
  /** What it answers with. */
  readonly accept: string;
  /** It answers by sending a browser elsewhere. */
  readonly redirects?: true;
  /** It answers with a file, which may be of any type. */
  readonly isFile?: true;
}

export const timeouts: Readonly<Record<Patience, number>> = {
  usual: 30_000,
  generation: 60_000,
  transfer: 300_000,
  stream: 30_000,
};

export const DEFAULT_STREAM_SILENCE_MS = 45_000;
export const DEFAULT_MAX_RETRIES = 2;
