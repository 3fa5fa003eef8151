import { In, MoreThanOrEqual, type SelectQueryBuilder } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ToolInvocation, type ToolOutcome } from '../../entities/mcp/tool-invocation.entity.ts';
import { KeyLogRepository, type WithKeyName } from '../team/key-log.repository.ts';

/** A call of an MCP tool, with the name of the API key that made it. */
export type NamedInvocation = WithKeyName<ToolInvocation>;

export interface InvocationFilter {
  tool?: string | undefined;
  apiKeyId?: string | undefined;
  outcome?: ToolOutcome | undefined;
}

/** MCP tools whose arguments identify visitors. */
const CONVERSATION_TOOLS = ['find_conversations', 'get_conversation'];

export class ToolInvocationRepository extends KeyLogRepository<ToolInvocation> {
  constructor() {
    super(ToolInvocation, 'tool invocation');
  }

  /**
   * Clears the logged arguments of MCP tool calls that read conversations, since a query may be a visitor's
   * name.
   * @throws AppError `key_unavailable`
   */
  async clearConversationQueries(scope: OrgScope, since: Date): Promise<void> {
    const calls = await this.query(scope)
      .andWhere({ tool: In(CONVERSATION_TOOLS), createdAt: MoreThanOrEqual(since) })
      .select('row.id')
      .getMany();
    for (const { id } of calls) await this.update(scope, id, { arguments: {} });
  }

  queryInvocations(scope: OrgScope, filter: InvocationFilter): SelectQueryBuilder<NamedInvocation> {
    return this.queryNamed(scope, filter);
  }
}
