import { Type, type Static } from '@sinclair/typebox';
import { toolNames } from '../../core/mcp/tool-names.ts';
import { toolOutcomes } from '../../entities/mcp/tool-invocation.entity.ts';
import { DateTime, FreeForm, Nullable, StringEnum, PageParameters, Uuid } from '../http/schemas/schemas.ts';

export const ToolInvocationQuery = Type.Object(
  {
    ...PageParameters,
    tool: Type.Optional(StringEnum(toolNames, { description: 'Only calls of this tool.' })),
    api_key_id: Type.Optional(Uuid('Only calls with this key.')),
    outcome: Type.Optional(StringEnum(toolOutcomes, { description: 'Only calls with this result.' })),
  },
  { additionalProperties: false },
);

export const ToolInvocationResponse = Type.Object(
  {
    id: Uuid('The call’s id.'),
    tool: Type.String({ description: 'Name of the tool.', examples: ['search_knowledge'] }),
    api_key_id: Uuid('The API key that called the tool.'),
    api_key_name: Nullable(Type.String({ description: 'The key’s current name; null if it was deleted.' })),
    outcome: StringEnum(toolOutcomes, { description: 'Whether the call succeeded.' }),
    error_code: Nullable(
      Type.String({
        description: 'Error code of a failed call; null if the call succeeded.',
        examples: ['not_found'],
      }),
    ),
    arguments: FreeForm(
      'The arguments, without secrets, email addresses and phone numbers. Long texts are truncated; whole documents are replaced by length and digest.',
    ),
    duration_ms: Type.Integer({ minimum: 0, description: 'Duration of the call.' }),
    client: Nullable(
      Type.String({
        description: 'Name and version that the client reports.',
        examples: ['claude-code 2.1.4'],
      }),
    ),
    request_id: Type.String({ description: 'The request that contained the call.' }),
    created_at: DateTime('Time of the call.'),
  },
  { $id: 'ToolInvocationResponse', description: 'A call of a tool of the MCP server.' },
);
export type ToolInvocationResponse = Static<typeof ToolInvocationResponse>;
