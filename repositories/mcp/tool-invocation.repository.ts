import type { SelectQueryBuilder } from 'typeorm';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ToolInvocation, type ToolOutcome } from '../../entities/mcp/tool-invocation.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';

/**
 * A call of an MCP tool, with the current name of the API key that made it. The name is null if the key was
 * deleted.
 */
export interface NamedInvocation extends ToolInvocation {
  key: Pick<ApiKey, 'name'> | null;
}

export interface InvocationFilter {
  tool?: string | undefined;
  apiKeyId?: string | undefined;
  outcome?: ToolOutcome | undefined;
}

export class ToolInvocationRepository extends ScopedRepository<ToolInvocation> {
  constructor() {
    super(ToolInvocation, 'tool invocation');
  }

  /** True if the log contains a call with this API key. */
  hasKey(scope: OrgScope, apiKeyId: string): Promise<boolean> {
    return this.query(scope).andWhere({ apiKeyId }).getExists();
  }

  queryInvocations(scope: OrgScope, filter: InvocationFilter): SelectQueryBuilder<NamedInvocation> {
    const query = this.query(scope)
      .leftJoinAndMapOne('row.key', ApiKey, 'key', 'key.id = row.apiKeyId AND key.orgId = row.orgId')
      .select(['row', 'key.id', 'key.name']);
    for (const [property, value] of Object.entries(filter))
      if (value !== undefined) query.andWhere({ [property]: value });
    return query as SelectQueryBuilder<NamedInvocation>;
  }
}
