import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { redactedArguments } from '../../core/mcp/redacted-arguments.ts';
import { redactedText } from '../../core/mcp/redacted-text.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { ToolInvocation, ToolOutcome } from '../../entities/mcp/tool-invocation.entity.ts';
import type {
  NamedInvocation,
  ToolInvocationRepository,
} from '../../repositories/mcp/tool-invocation.repository.ts';
import type { IssuedKeyRepository } from '../../repositories/team/issued-key.repository.ts';
import { maskDetails } from '../contacts/details-in-text.ts';
import type { RateLimiter } from '../requests/rate-limiter.ts';

/** Filters as the API names them. */
export interface InvocationQuery extends PageQuery {
  tool?: string;
  api_key_id?: string;
  outcome?: ToolOutcome;
}

export type NewInvocation = Pick<
  Opened<ToolInvocation>,
  'apiKeyId' | 'tool' | 'errorCode' | 'arguments' | 'durationMs' | 'client' | 'requestId'
>;

/** Characters of a tool's name that are stored; a client may send any name. */
const MAX_NAME_LENGTH = 100;
const MAX_CLIENT_LENGTH = 200;
/** Rate-limited calls of a key that are stored in a minute; other calls are bounded by the rate limit itself. */
const MAX_LIMITED_A_MINUTE = 60;

export interface ToolLogDeps {
  limiter: Pick<RateLimiter, 'consume'>;
  rows: ToolInvocationRepository;
  keys: IssuedKeyRepository;
  keyring: Keyring;
  log: Logger;
  clock: Clock;
}

/** Logs calls of tools with their API keys and outcomes. */
export class ToolLog {
  readonly #limiter: ToolLogDeps['limiter'];
  readonly #rows: ToolInvocationRepository;
  readonly #keys: IssuedKeyRepository;
  readonly #keyring: Keyring;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #writing = new Set<Promise<void>>();

  constructor({ limiter, rows, keys, keyring, log, clock }: ToolLogDeps) {
    this.#limiter = limiter;
    this.#rows = rows;
    this.#keys = keys;
    this.#keyring = keyring;
    this.#log = log;
    this.#clock = clock;
  }

  /**
   * Logs a call in the background, and only warns if that fails. Stores the arguments redacted and sealed, or no arguments
   * if they cannot be sealed.
   * @param isOver resolves when the response was sent, which the log must not delay
   */
  record(scope: OrgScope, call: NewInvocation, isOver: Promise<unknown>): void {
    const writing = this.#insert(scope, call, isOver).catch((error: unknown) => {
      const { tool, requestId } = call;
      this.#log.warn({ err: error, tool, requestId }, 'a tool call was not logged');
    });
    this.#writing.add(writing);
    void writing.finally(() => this.#writing.delete(writing));
  }

  /** Waits for running writes. */
  async drain(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /**
   * Lists calls, newest first. Calls of a deleted key can still be listed.
   * @throws AppError `validation_error` for a foreign cursor; `forbidden` for a key of another workspace, `not_found` for
   *   an unknown key
   */
  async list(
    scope: OrgScope,
    { tool, api_key_id: apiKeyId, outcome, ...page }: InvocationQuery,
  ): Promise<Page<Opened<NamedInvocation>>> {
    const found = await readPage(
      this.#rows.queryInvocations(scope, { tool, apiKeyId, outcome }),
      page,
      this.#keyring,
    );
    const isKnown = apiKeyId === undefined || found.items.length > 0;
    if (!isKnown && !(await this.#rows.hasKey(scope, apiKeyId))) await this.#keys.get(scope, apiKeyId);
    return { ...found, items: await this.#rows.openAll(scope, found.items) };
  }

  async #insert(scope: OrgScope, call: NewInvocation, isOver: Promise<unknown>): Promise<void> {
    const createdAt = this.#clock.now();
    await isOver;
    if (call.errorCode === 'rate_limited' && !(await this.#canLogLimited(call.apiKeyId))) return;
    // The calls of a batch end together: yield before the work of each.
    await yieldToEventLoop();
    const outcome = call.errorCode === null ? ('succeeded' as const) : ('failed' as const);
    const row = {
      ...call,
      id: newId(),
      tool: redactedText(call.tool, MAX_NAME_LENGTH, maskDetails),
      client: call.client && redactedText(call.client, MAX_CLIENT_LENGTH, maskDetails),
      outcome,
      createdAt,
    };
    const given = redactedArguments(call.arguments, {
      withoutDetails: maskDetails,
      digest: (text) => this.#keyring.digest('logged-text', text),
    });
    try {
      await this.#rows.insert(scope, { ...row, arguments: given });
    } catch (error) {
      if (!isKeyUnavailable(error)) throw error;
      await this.#rows.insert(scope, { ...row, arguments: {} });
    }
  }

  /** Returns false when a client that ignores its rate limit would fill the table. */
  async #canLogLimited(apiKeyId: string): Promise<boolean> {
    const shared = { key: `tool-log:${apiKeyId}`, limit: MAX_LIMITED_A_MINUTE, windowSeconds: 60 };
    return (await this.#limiter.consume({ shared })).isAdmitted;
  }
}
