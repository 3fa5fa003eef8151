import { mapPage } from '../../database/page.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { NamedInvocation } from '../../repositories/mcp/tool-invocation.repository.ts';
import { defineOperation } from '../http/operation.ts';
import { PageSchema } from '../http/schemas/schemas.ts';
import { ToolInvocationQuery, ToolInvocationResponse } from './tool-invocations.schemas.ts';

export const listToolInvocations = defineOperation({
  id: 'listToolInvocations',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: '/api/tool-invocations',
  tag: 'tool-invocations',
  auth: 'member',
  scope: 'tools:read',
  role: 'admin',
  query: ToolInvocationQuery,
  responses: { 200: PageSchema(ToolInvocationResponse) },
  errors: ['not_found'],
  summary: 'The log of MCP tool calls, newest first: tool, key, outcome, duration; arguments are redacted.',
  handle: async ({ ctx, query }, { mcp: { toolLog } }) => mapPage(await toolLog.list(ctx, query), present),
});

function present(invocation: Opened<NamedInvocation>): ToolInvocationResponse {
  return {
    id: invocation.id,
    tool: invocation.tool,
    api_key_id: invocation.apiKeyId,
    api_key_name: invocation.key?.name ?? null,
    outcome: invocation.outcome,
    error_code: invocation.errorCode,
    arguments: invocation.arguments,
    duration_ms: invocation.durationMs,
    client: invocation.client,
    request_id: invocation.requestId,
    created_at: invocation.createdAt.toISOString(),
  };
}
