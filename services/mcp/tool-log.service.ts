import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Logger } from '../../core/logger.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { redactedArguments } from '../../core/mcp/redacted-arguments.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { ToolInvocation, ToolOutcome } from '../../entities/mcp/tool-invocation.entity.ts';
import type {
  NamedInvocation,
  ToolInvocationRepository,
} from '../../repositories/mcp/tool-invocation.repository.ts';
import { withoutDetails } from '../contacts/details-in-text.ts';

/** Filters as the API names them. */
export interface InvocationQuery extends PageQuery {
  tool?: string;
  api_key_id?: string;
  outcome?: ToolOutcome;
}

export type NewInvocation = Pick<
  ToolInvocation,
  'apiKeyId' | 'tool' | 'errorCode' | 'arguments' | 'durationMs' | 'client' | 'requestId'
>;

/** Which tools were called, by which keys, and what came of it. */
export class ToolLog {
  readonly #rows: ToolInvocationRepository;
  readonly #keyring: Keyring;
  readonly #log: Logger;

  constructor({ rows, keyring, log }: { rows: ToolInvocationRepository; keyring: Keyring; log: Logger }) {
    this.#rows = rows;
    this.#keyring = keyring;
    this.#log = log;
  }

  /**
   * Notes a call whose arguments are as they came; without them, where they cannot be sealed. What was done stays done where it cannot
   * be noted.
   */
  async note(scope: OrgScope, call: NewInvocation): Promise<void> {
    const outcome = call.errorCode === null ? ('succeeded' as const) : ('failed' as const);
    const row = { ...call, id: newId(), outcome };
    const insert = (kept: Record<string, unknown>) => this.#rows.insert(scope, { ...row, arguments: kept });
    try {
      await insert(redactedArguments(call.arguments, withoutDetails)).catch((error: unknown) => {
        if (!isKeyUnavailable(error)) throw error;
        return insert({});
      });
    } catch (error) {
      this.#log.warn(
        { err: error, tool: call.tool, requestId: call.requestId },
        'a call of a tool was not noted',
      );
    }
  }

  /** Newest first. @throws AppError `validation_error` for a foreign cursor */
  list(
    scope: OrgScope,
    { tool, api_key_id: apiKeyId, outcome, ...page }: InvocationQuery,
  ): Promise<Page<NamedInvocation>> {
    return readPage(this.#rows.matching(scope, { tool, apiKeyId, outcome }), page, this.#keyring);
  }
}
