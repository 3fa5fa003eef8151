import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { tools } from '../../api/mcp/tools.ts';
import type { TestOrg } from '../support/parley.ts';

/** Ways in which the test client chooses a version of the MCP protocol: the one of 2025, or 2026-07-28. */
export const eras = ['legacy', 'auto'] as const;
export type Era = (typeof eras)[number];

/**
 * Validator of JSON Schemas with the rules of MCP clients: with the dialect that MCP prescribes, and without
 * unknown keywords.
 */
export const mcpAjv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(mcpAjv);

const outputs = new Map(
  tools.map(({ name, output }) => [name as string, mcpAjv.compile(JSON.parse(JSON.stringify(output)))]),
);

/** Asserts that a tool's result conforms to the tool's schema, and that a failure has no structured content. */
function checkResult(name: string, { isError, content }: Omit<ToolResult, 'text'>): void {
  if (isError) return assert.equal(content, undefined, name);
  const validate = outputs.get(name) ?? assert.fail(name);
  assert.ok(validate(content), `${name}: ${mcpAjv.errorsText(validate.errors)}`);
}

interface ToolResult {
  isError: boolean;
  text: string;
  /** Structured content of the tool's result; undefined for a failure. */
  content: unknown;
}

export interface TestMcp {
  client: Client;
  call(name: string, given?: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Connects the official MCP client with the workspace's API key. */
export async function connectMcp(
  baseUrl: string,
  { key }: Pick<TestOrg, 'key'>,
  era: Era = 'auto',
): Promise<TestMcp> {
  const client = new Client({ name: 'test-client', version: '1.2.3' }, { versionNegotiation: { mode: era } });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return {
    client,
    call: async (name, given = {}) => {
      const {
        isError = false,
        content,
        structuredContent,
      } = await client.callTool({ name, arguments: given });
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      checkResult(name, { isError, content: structuredContent });
      return { isError, text, content: structuredContent };
    },
    close: () => client.close(),
  };
}
