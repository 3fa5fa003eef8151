import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { redactArguments } from '../../core/mcp/redacted-arguments.ts';
import { redactText } from '../../core/mcp/redacted-text.ts';
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

/** Query parameters of the operation that lists tool calls. */
export interface InvocationQuery extends PageQuery {
  tool?: string;
  api_key_id?: string;
  outcome?: ToolOutcome;
}

export type NewInvocation = Pick<
  Opened<ToolInvocation>,
  'apiKeyId' | 'tool' | 'errorCode' | 'arguments' | 'durationMs' | 'client' | 'requestId'
>;

/** Maximum number of characters of an MCP tool's name in the log, because clients may send any name. */
const MAX_NAME_LENGTH = 100;
const MAX_CLIENT_LENGTH = 200;
/**
 * Maximum number of rate-limited tool calls of an API key that are logged in a minute. The rate limit itself
 * bounds all other calls.
 */
const MAX_LIMITED_A_MINUTE = 60;

export interface ToolLogDeps {
  limiter: Pick<RateLimiter, 'consume'>;
  rows: ToolInvocationRepository;
  keys: IssuedKeyRepository;
  keyring: Keyring;
  log: Logger;
  clock: Clock;
}

/** Logs calls of MCP tools with their API keys and outcomes. */
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
   * Logs an MCP tool call in the background; if that fails, only writes a warning. Arguments are redacted and
   * encrypted, or omitted if they cannot be encrypted.
   * @param responseSent resolves when the response was sent, so that logging never delays it
   */
  record(scope: OrgScope, call: NewInvocation, responseSent: Promise<unknown>): void {
    const writing = this.#insert(scope, call, responseSent).catch((error: unknown) => {
      const { tool, requestId } = call;
      this.#log.warn({ err: error, tool, requestId }, 'cannot log an MCP tool call');
    });
    this.#writing.add(writing);
    void writing.finally(() => this.#writing.delete(writing));
  }

  /** Waits until all tool calls recorded so far are stored. */
  async drain(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /**
   * Lists the workspace's tool calls, newest first. The calls of a deleted API key can still be listed.
   * @throws AppError `validation_error` for a cursor of another list; `forbidden` for a key of another
   *   workspace, `not_found` for an unknown key
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

  async #insert(scope: OrgScope, call: NewInvocation, responseSent: Promise<unknown>): Promise<void> {
    const createdAt = this.#clock.now();
    await responseSent;
    if (call.errorCode === 'rate_limited' && !(await this.#canLogLimited(call.apiKeyId))) return;
    // Yields first: the calls of a batch end at the same time, and logging all calls at once would block the
    // event loop.
    await yieldToEventLoop();
    const outcome = call.errorCode === null ? ('succeeded' as const) : ('failed' as const);
    const row = {
      ...call,
      id: newId(),
      tool: redactText(call.tool, MAX_NAME_LENGTH, maskDetails),
      client: call.client && redactText(call.client, MAX_CLIENT_LENGTH, maskDetails),
      outcome,
      createdAt,
    };
    const redactedInput = redactArguments(call.arguments, {
      removeDetails: maskDetails,
      digest: (text) => this.#keyring.digest('logged-text', text),
    });
    try {
      await this.#rows.insert(scope, { ...row, arguments: redactedInput });
    } catch (error) {
      if (!isKeyUnavailable(error)) throw error;
      await this.#rows.insert(scope, { ...row, arguments: {} });
    }
  }

  /** Returns false once the API key has had too many rate-limited tool calls in a minute to log them all. */
  async #canLogLimited(apiKeyId: string): Promise<boolean> {
    const shared = { key: `tool-log:${apiKeyId}`, limit: MAX_LIMITED_A_MINUTE, windowSeconds: 60 };
    return (await this.#limiter.consume({ shared })).isAdmitted;
  }
}
