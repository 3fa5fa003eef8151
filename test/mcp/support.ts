import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestOrg } from '../support/parley.ts';

/** Protocol versions of clients: that of 2025, and 2026-07-28. */
export const eras = ['legacy', 'auto'] as const;
export type Era = (typeof eras)[number];

interface ToolResult {
  isError: boolean;
  text: string;
  /** The structured content; undefined for a failure. */
  content: unknown;
}

export interface TestMcp {
  client: Client;
  call(name: string, given?: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

/** The official client, connected with the workspace's key. */
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
      return { isError, text, content: structuredContent };
    },
    close: () => client.close(),
  };
}
