import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { toolNames } from '../../../core/mcp/tool-names.ts';
import { buildKnowledgeBase, buildPassage } from '../../support/knowledge.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { installPythonPackage } from '../../support/python-tool.ts';

const run = promisify(execFile);

/**
 * Python programs with MCP clients that list the tools, call one, and print both as JSON. The major versions
 * differ in imports and names.
 */
const clients = {
  'mcp==1.30.0': `
import asyncio, json, sys
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

async def main(url, key, bot_id):
    async with streamablehttp_client(url, headers={"Authorization": f"Bearer {key}"}) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            listed = await session.list_tools()
            called = await session.call_tool("search_knowledge", {"bot_id": bot_id, "query": "What is motor error M22?"})
            failed = await session.call_tool("get_bot", {"bot_id": "x"})
            print(json.dumps({
                "tools": [tool.name for tool in listed.tools],
                "passages": [passage["text"] for passage in called.structuredContent["passages"]],
                "failed": [failed.isError, failed.content[0].text],
            }))

asyncio.run(main(*sys.argv[1:]))
`,
  'mcp==2.3.0': `
import asyncio, json, sys
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main(url, key, bot_id):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            listed = await client.list_tools()
            called = await client.call_tool("search_knowledge", {"bot_id": bot_id, "query": "What is motor error M22?"})
            failed = await client.call_tool("get_bot", {"bot_id": "x"})
            print(json.dumps({
                "tools": [tool.name for tool in listed.tools],
                "passages": [passage["text"] for passage in called.structured_content["passages"]],
                "failed": [failed.is_error, failed.content[0].text],
            }))

asyncio.run(main(*sys.argv[1:]))
`,
};

describe('the official client of Python', function () {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  for (const [version, script] of Object.entries(clients)) {
    it(`lists the tools of the MCP server, calls them, and returns their errors, with ${version}`, async function () {
      const python = installPythonPackage(version, 'mcp');
      if (!python) return this.skip();
      const { botId, key, orgId } = await buildKnowledgeBase(parley);
      await buildPassage(parley.database, { orgId, botId }, 'The motor error M22 means too hot.');
      const { stdout } = await run(python, ['-c', script, `${parley.baseUrl}/mcp`, key, botId]);
      const { tools, passages, failed } = JSON.parse(stdout) as Record<string, unknown[]>;
      assert.deepEqual(tools, toolNames);
      assert.deepEqual(passages, ['The motor error M22 means too hot.']);
      assert.equal(failed![0], true);
      assert.match(String(failed![1]), /bot_id/);
    });
  }
});
