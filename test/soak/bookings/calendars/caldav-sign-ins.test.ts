import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startParley, type TestParley } from '../../../support/parley.ts';
import { beginConnecting, buildOwner } from '../../../bookings/calendars/calendar-scene.ts';

describe('attempts to sign in to a CalDAV server', () => {
  let requests = 0;
  let passwords = 0;
  const server = createServer(({ headers }, response) => {
    requests += 1;
    if (headers.authorization !== undefined) passwords += 1;
    response.writeHead(401).end();
  });
  let parley: TestParley;
  let url: string;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dav/`;
    parley = await startParley({}, { hasStoppedClock: true });
  });
  after(async () => {
    await parley.stop();
    server.close();
  });

  /** Begins connecting a calendar of a new workspace. Returns a function that submits the CalDAV form. */
  async function beginSigningIn() {
    const { url: page, cookie } = await beginConnecting(await buildOwner(parley), 'caldav');
    return (username: string, password: string, address = url) =>
      fetch(page.replace(parley.runtime.settings.baseUrl, parley.baseUrl), {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams({ server: address, username, password }),
      });
  }

  it('are limited to ten an hour per link, even if each has a different user name', async () => {
    const signIn = await beginSigningIn();
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await signIn(`ada${count}`, 'x')).status);
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 422), 429]);
  });

  it('are limited to ten an hour per account, across all links, before a request is sent', async () => {
    for (const name of ['grace', 'GRACE']) {
      const signIn = await beginSigningIn();
      for (let count = 0; count < 5; count += 1)
        assert.equal((await signIn(name, `guess ${count}`)).status, 422);
    }
    const before = requests;
    const signIn = await beginSigningIn();
    const refused = await signIn('grace', 'another guess', url.replace('/dav/', '/elsewhere/'));
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '3600']);
    assert.match(await refused.text(), /Too many sign-in attempts; wait 3600 s/);
    assert.equal(requests, before);
    assert.equal((await signIn('rui', 'x')).status, 422);
  });

  it('are limited to ten an hour per account if all arrive at once', async () => {
    const forms = await Promise.all([beginSigningIn(), beginSigningIn(), beginSigningIn()]);
    const tries = forms.flatMap((signIn) => Array.from({ length: 8 }, () => signIn('mary', 'guess')));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [
      ...Array.from({ length: 10 }, () => 422),
      ...Array.from({ length: 14 }, () => 429),
    ]);
  });

  it('are limited per account at the host to which servers redirect', async () => {
    const received: boolean[] = [];
    for (let count = 0; count < 11; count += 1) {
      passwords = 0;
      const lead = createServer((_request, response) => {
        response.writeHead(307, { location: url }).end();
      }).listen(0, `127.0.0.${count + 2}`);
      await once(lead, 'listening');
      const { address, port } = lead.address() as AddressInfo;
      const signIn = await beginSigningIn();
      assert.equal((await signIn('edsger', 'guess', `http://${address}:${port}/`)).status, 422);
      lead.close();
      received.push(passwords > 0);
    }
    assert.deepEqual(received, [...Array.from({ length: 10 }, () => true), false]);
  });
});
