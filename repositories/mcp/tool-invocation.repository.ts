import type { SelectQueryBuilder } from 'typeorm';
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

export class ToolInvocationRepository extends KeyLogRepository<ToolInvocation> {
  constructor() {
    super(ToolInvocation, 'tool invocation');
  }

  queryInvocations(scope: OrgScope, filter: InvocationFilter): SelectQueryBuilder<NamedInvocation> {
    return this.queryNamed(scope, filter);
  }
}
