import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as send, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { McpTransport } from '../../../api/mcp/mcp-transport.ts';
import { toAppError } from '../../../api/http/problems/problem.ts';
import { projectRoot } from '../../../scripts/launcher/project-root.ts';
import { findConformanceSuite, type ConformanceResults } from '../../support/mcp-conformance.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { createFixtureServer } from '../../mcp/fixture-server.ts';

/** Checks of the conformance suite that need the suite's own tools, which Parley does not have. */
const FIXTURE_CHECKS = [
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
];

describe('the MCP server with the protocol’s conformance suite', () => {
  const servers: Server[] = [];
  let parley: TestParley | undefined;
  let own: ConformanceResults;
  let fixture: ConformanceResults;

  before(async function () {
    const run = findConformanceSuite();
    if (!run) return this.skip();
    own = await run(await startOwn());
    fixture = await run(await startFixture());
  });
  after(async () => {
    for (const server of servers) server.close();
    await parley?.stop();
  });

  /** Starts Parley's MCP server behind a proxy that adds an API key, since the conformance suite sends none. */
  async function startOwn(): Promise<string> {
    let target: URL;
    let key: string;
    const url = await startListener((incoming, outgoing) => {
      const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
      const { hostname, port } = target;
      const options = { hostname, port, path: incoming.url, method: incoming.method, headers };
      const onward = send(options, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    });
    parley = await startParley({ PARLEY_MCP_ORIGINS: new URL(url).origin });
    target = new URL(parley.baseUrl);
    ({ key } = await parley.buildOrg());
    return url;
  }

  /** Starts an MCP server with the conformance suite's own tools, which uses Parley's transport. */
  async function startFixture(): Promise<string> {
    const app = new Koa();
    let transport: McpTransport;
    app.use(async (koa) => {
      try {
        if (transport.checkOrigin(koa)) return;
        const body = await transport.readBody(koa);
        await transport.respond(koa, body, createFixtureServer, () => undefined);
      } catch (error) {
        koa.status = toAppError(error).status;
        koa.body = '';
      }
    });
    const url = await startListener((request, response) => void app.callback()(request, response));
    transport = new McpTransport({ baseUrl: new URL(url).origin, mcpOrigins: '' });
    return url;
  }

  async function startListener(handle: RequestListener): Promise<string> {
    const server = createServer(handle).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://localhost:${(server.address() as AddressInfo).port}/mcp`;
  }

  for (const scenario of [
    'server-initialize',
    'ping',
    'tools-list',
    'dns-rebinding-protection',
    'http-header-validation',
  ])
    it(`passes ${scenario}`, () => assert.deepEqual(own.get(scenario), []));

  it('passes server-stateless, except checks that need tools of the suite', () => {
    assert.deepEqual(own.get('server-stateless')?.toSorted(), FIXTURE_CHECKS);
  });

  it('passes the tool scenarios with the suite’s tools', () => {
    const scenarios = [
      'server-stateless',
      'tools-call-simple-text',
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
      'tools-call-error',
      'tools-call-with-progress',
      'json-schema-2020-12',
    ];
    for (const scenario of scenarios) assert.deepEqual(fixture.get(scenario), [], scenario);
  });

  it('passes all scenarios except those that the documentation lists with a reason', () => {
    const failing = [...own.keys()].filter((name) => own.get(name)?.length && fixture.get(name)?.length);
    assert.deepEqual(failing.toSorted(), readDocumentedScenarios().toSorted());
  });
});

/** Returns the scenarios of the suite that do not apply to Parley, from the table in the documentation. */
function readDocumentedScenarios(): string[] {
  const page = readFileSync(new URL('docs/mcp.md', projectRoot()), 'utf8');
  const [, table = ''] = /\n\| Scenarios +\|[^\n]*\n\|[-| ]+\n((?:\|[^\n]*\n)+)/.exec(page) ?? [];
  return table.split('\n').flatMap((row) => {
    const [, scenarios = ''] = row.split('|');
    return [...scenarios.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  });
}
