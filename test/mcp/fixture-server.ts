import {
  MissingRequiredClientCapabilityError,
  Server,
  type CallToolResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const text = (content: string) => ({ type: 'text', text: content }) as const;
const resource = (uri: string, mimeType: string, content: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: content } }) as const;
const result = (...content: CallToolResult['content']): CallToolResult => ({ content });

type Run = (context: ServerContext) => CallToolResult | Promise<CallToolResult>;

/** Results of the tools that scenarios of MCP's conformance suite call, by the name of the tool. */
const runs: Record<string, Run> = {
  test_simple_text: () => result(text('This is a simple text response for testing.')),
  test_image_content: () => result(image),
  test_audio_content: () => result({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  test_embedded_resource: () =>
    result(resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
  test_multiple_content_types: () =>
    result(
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ),
  test_error_handling: () => ({
    ...result(text('This tool intentionally returns an error for testing')),
    isError: true,
  }),
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken!, progress, total: 100 },
      });
    return result(text('Done.'));
  },
  test_logging_tool: async ({ mcpReq }) => {
    await mcpReq.log('info', 'Logged.');
    return result(text('Done.'));
  },
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const part of ['started', 'going on', 'completed']) await mcpReq.log('info', part);
    return result(text('Done.'));
  },
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  test_streaming_elicitation: async ({ mcpReq }) => {
    await mcpReq.log('info', 'Asks nobody.');
    return result(text('Done.'));
  },
  json_schema_2020_12_tool: () => result(text('Done.')),
};

const address = {
  $anchor: 'addressDef',
  type: 'object',
  properties: { street: { type: 'string' }, city: { type: 'string' } },
};
const schemas: Record<string, Tool['inputSchema']> = {
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- It is a keyword of JSON Schema.
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};

/** Creates the MCP server that the conformance suite expects, in place of Parley's own. */
export function createFixtureServer(): Server {
  const server = new Server({ name: 'fixture', version: '1' }, { capabilities: { tools: {}, logging: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(runs).map((name) => ({
      name,
      description: `Does what ${name} is for.`,
      inputSchema: schemas[name] ?? { type: 'object' },
    })),
    ttlMs: 1000,
    cacheScope: 'private' as const,
  }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const run = runs[params.name];
    if (!run) throw new Error(`There is no tool ${params.name}.`);
    return run(context);
  });
  return server;
}
