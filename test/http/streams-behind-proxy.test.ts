import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { createClient } from '../support/api-client.ts';
import { installCaddy } from '../support/caddy.ts';
import { openEventStream } from '../support/event-stream.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildSession } from '../support/widget.ts';

describe('event streams behind Caddy, which compresses responses,', () => {
  let parley: SharedParley;
  let caddy: ChildProcess;
  let proxyUrl: string;
  before(async function () {
    // Allow more time, because the first run downloads the proxy Caddy.
    this.timeout(300_000);
    parley = await startSharedParley();
    const [port] = await findFreePorts(1);
    proxyUrl = `http://127.0.0.1:${port}`;
    const file = join(makeTemporaryFolder(), 'Caddyfile');
    writeFileSync(
      file,
      `{
        admin off
        auto_https off
      }
      ${proxyUrl} {
        encode zstd gzip
        reverse_proxy ${parley.baseUrl}
      }`,
    );
    caddy = spawn(await installCaddy(), ['run', '--adapter', 'caddyfile', '--config', file], {
      stdio: 'ignore',
    });
    const isUp = () =>
      fetch(`${proxyUrl}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil(isUp, 'Caddy');
  });
  after(async () => {
    caddy.kill();
    await once(caddy, 'exit');
  });

  it('deliver each event of streamWidgetEvents at once, without compression', async () => {
    const { session, path, client } = await buildSession(parley, { handoff_enabled: true });
    const visitor = createClient(proxyUrl, session.visitor_token);
    const leaving = new AbortController();
    const { headers } = await visitor.fetch(`${path}/events`, {
      headers: { 'accept-encoding': 'zstd, gzip' },
      signal: leaving.signal,
    });
    assert.equal(headers.get('content-encoding'), null);
    leaving.abort();
    const stream = await openEventStream(visitor, `${path}/events`);
    assert.equal((await stream.next()).event, 'handoff');
    const inbox = `/api/inbox/${session.session_id}`;
    await client.post(`${inbox}/claim`);
    for (const content of ['One', 'Two']) {
      await client.post(`${inbox}/reply`, { content });
      let received;
      do received = (await stream.next()).data.message?.content;
      while (received !== content);
    }
    stream.close();
  });
});
