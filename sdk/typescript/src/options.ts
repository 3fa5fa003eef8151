/** Signature of the function `fetch` that the SDK calls. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /**
   * URL of the Parley server: `https://chat.example.com`. Default: `PARLEY_URL`, or `http://localhost:3000`
   * without it.
   */
  baseUrl?: string | undefined;
  /**
   * API key (`parley_live_…`), or the access token of a signed-in user. Default: `PARLEY_API_KEY`, which is
   * only sent to the URL in the environment.
   */
  apiKey?: string | undefined;
  /** Token of a visitor, for visitors' operations: the `visitor_token` of a widget session. */
  visitorToken?: string | undefined;
  /** Replacement for the global `fetch`. */
  fetch?: Fetch | undefined;
  /**
   * Timeout in milliseconds of each attempt. Default: 30 s, 60 s for generated answers, and 300 s for files.
   * For a stream, it limits the time until the stream opens. `Infinity` disables the timeout.
   */
  timeoutMs?: number | undefined;
  /** Milliseconds without data after which a stream counts as broken. Default: 45 s. */
  streamSilenceMs?: number | undefined;
  /** Maximum number of retries after temporary failures. Default: 2. */
  maxRetries?: number | undefined;
  /** Called before the pause that precedes a retry, or the new connection of a stream. */
  onRetry?: ((error: Error, pauseMs: number) => void) | undefined;
}

/**
 * Key of the option with the name of the setting `baseUrl` in error messages. The command line has another
 * name for this setting.
 */
export const URL_SETTING = Symbol('urlSetting');

export interface InternalOptions extends ClientOptions {
  [URL_SETTING]?: string;
}

/** Options of a single API call. */
export interface CallOptions {
  /** Aborts the call: its promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /**
   * Identifies a write, so that repeating the call has no further effect. Default: a random key for each
   * call.
   */
  idempotencyKey?: string | undefined;
  /** Replaces the client's visitor token for this call. */
  visitorToken?: string | undefined;
  /** Additional headers, such as `{ origin: 'https://shop.example.com' }` for a bot with `allowed_domains`. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export type TimeoutClass = 'default' | 'generation' | 'transfer' | 'stream';

/** Description of an API operation, by which the SDK calls it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly auth: 'none' | 'key' | 'session' | 'visitor' | 'visitorIfAny';
  readonly takesIdempotencyKey: boolean;
  readonly timeoutClass: TimeoutClass;
  /** Media type of the operation's response. */
  readonly accept: string;
  /** True if the response redirects a browser to another URL. */
  readonly redirects?: true;
  /** True if the response is a file of any media type. */
  readonly isFile?: true;
}

export const timeouts: Readonly<Record<TimeoutClass, number>> = {
  default: 30_000,
  generation: 60_000,
  transfer: 300_000,
  stream: 30_000,
};

export const DEFAULT_STREAM_SILENCE_MS = 45_000;
export const DEFAULT_MAX_RETRIES = 2;
