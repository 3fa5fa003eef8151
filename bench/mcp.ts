import { createDataSource } from '../entities/data-source.ts';
import { Database } from '../database/database.ts';
import { buildPassage } from '../test/support/knowledge.ts';
import { roundTo, type Figure } from './support/figure.ts';
import { measureInTurn, type MeasuredPair } from './support/measure-in-turn.ts';
import { call, type Installation } from './support/installation.ts';

const PASSAGES = 500;
const PAIRS = 1500;
const WARM_UP_PAIRS = 300;

interface ToolComparison extends MeasuredPair {
  figure: string;
  target: number;
}

/** Compares MCP tools with the REST calls that the tools run, one call after the other, in turn. */
export async function benchMcp(installation: Installation): Promise<Figure[]> {
  const botId = await buildKnowledge(installation);
  const query = 'Where is harbour station 42?';
  const search: ToolComparison = {
    figure: 'search_knowledge to searchKnowledge',
    target: 1.3,
    measured: () => callTool(installation, 'search_knowledge', { bot_id: botId, query }),
    baseline: () => call(installation, 'POST', `/api/bots/${botId}/knowledge/search`, { query, limit: 6 }),
  };
  const list: ToolComparison = {
    figure: 'list_bots to listBots',
    target: 2,
    measured: () => callTool(installation, 'list_bots', {}),
    baseline: () => call(installation, 'GET', '/api/bots?page_size=20'),
  };
  return [...(await compareTool(search)), ...(await compareTool(list))];
}

async function buildKnowledge(installation: Installation): Promise<string> {
  const { id: botId } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const { databaseUrl } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench', 0).initialize();
  try {
    const db = new Database(dataSource);
    const [bot] = await db.sql<{ org_id: string }>('SELECT org_id FROM bots WHERE id = $1', [botId]);
    for (let index = 0; index < PASSAGES; index += 1)
      await buildPassage(
        db,
        { orgId: bot!.org_id, botId },
        `Harbour station ${index} has ${index % 30} docks. ${'Riders return bikes at the docks of the station. '.repeat(6)}`,
      );
  } finally {
    await dataSource.destroy();
  }
  return botId;
}

/**
 * Calls an MCP tool like a client of protocol version 2026-07-28.
 * @throws Error if the call fails
 */
async function callTool(
  { apiUrl, apiKey }: Installation,
  name: string,
  toolArguments: Record<string, unknown>,
): Promise<void> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(`${apiUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: toolArguments, _meta: meta },
    }),
  });
  const text = await response.text();
  const { result } = JSON.parse(text) as { result?: { isError?: boolean } };
  if (!result || result.isError === true) throw new Error(text);
}

async function compareTool({ figure, target, ...ways }: ToolComparison): Promise<Figure[]> {
  const { measured, baseline } = await measureInTurn(ways, { pairs: PAIRS, warmUpPairs: WARM_UP_PAIRS });
  const ratio = roundTo(measured / baseline);
  return [
    {
      bench: 'mcp',
      figure,
      value: ratio,
      unit: '×',
      target: `≤ ${target}`,
      note: `${roundTo(measured)} ms a call`,
      ok: ratio <= target,
    },
  ];
}
