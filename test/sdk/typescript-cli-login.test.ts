import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { findOpener } from '../../sdk/typescript/src/cli/open-browser.ts';
import { FaultyProxy } from '../support/faulty-proxy.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { signInAs } from '../team/support.ts';
import { terminal } from './command-line.ts';

const PAGE = /^Open (\S+\/device\?code=(\S+)) and confirm (\S+)\n$/;

describe('`parley login` in a browser', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ devicePollSeconds: 1 });
  });
  after(() => parley.stop());

  /** Runs the login command at a terminal, and calls `decide` with the user code once the command shows it. */
  async function logIn(
    decide: (userCode: string) => Promise<unknown>,
    { args = [], url = parley.baseUrl, interrupted }: LogInOptions = {},
  ) {
    const { run, home } = terminal({ PARLEY_URL: url });
    const opened: string[] = [];
    let decision: Promise<unknown> | undefined;
    const outcome = await run(['login', ...args], {
      typed: '',
      opened: (page) => opened.push(page),
      heard: (text) => {
        const [, , code] = PAGE.exec(text) ?? [];
        if (code !== undefined) decision = decide(code);
      },
      ...(interrupted && { interrupted }),
    });
    await decision;
    return { ...outcome, opened, home, file: join(home, '.config/parley/credentials.json') };
  }
  interface LogInOptions {
    args?: string[];
    url?: string;
    interrupted?: AbortSignal;
  }

  const approveAs =
    ({ session, orgId }: Awaited<ReturnType<typeof signInAs>>, body = {}) =>
    (code: string) =>
      session.post(`/api/ext/orgs/${orgId}/device-logins/${code}/approve`, body);

  it('opens the page, and stores the key that a person approves in a file that only its owner can access', async () => {
    const person = await signInAs(parley);
    const { code, out, err, opened, file, home } = await logIn(approveAs(person));
    assert.equal(code, exitCodes.done, err);
    const [, page, inPage, shown] = PAGE.exec(err)!;
    assert.deepEqual([opened, inPage], [[page], shown]);
    assert.equal(out, `Stored in ${file}, for ${parley.baseUrl} and the workspace Acme.\n`);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { url, api_key: key } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    assert.equal(url, parley.baseUrl);
    const { body: me } = await parley.client(key!).get('/api/auth/me');
    assert.deepEqual([me.organization?.id, me.user.id], [person.orgId, person.userId]);
    const { body: keys } = await person.session.get('/api/api-keys');
    assert.equal(keys[0]!.name, 'parley on laptop');
    assert.equal((await terminal({}, home).run(['bots', 'list'])).code, exitCodes.done);
  });

  it('--no-browser only prints the address; if the response with the key is lost, the key is fetched again', async () => {
    const proxy = await FaultyProxy.start(parley.baseUrl, [{ kind: 'pass' }, { kind: 'lose_answer' }]);
    try {
      const approve = approveAs(await signInAs(parley));
      const { code, err, opened } = await logIn(approve, { args: ['--no-browser'], url: proxy.url });
      assert.deepEqual([code, opened], [exitCodes.done, []], err);
    } finally {
      await proxy.stop();
    }
  });

  it('stores nothing if the person denies the login, if the code expires, or after Ctrl-C', async () => {
    const { session } = await signInAs(parley);
    const denied = await logIn((code) => session.post(`/api/ext/device-logins/${code}/deny`));
    assert.match(denied.err, /\nThe login was denied\. \(forbidden, req_\w+\)\n$/);
    const expired = await logIn((code) =>
      parley.database.sql('UPDATE device_logins SET expires_at = now() WHERE user_code = $1', [code]),
    );
    assert.match(expired.err, /\nThe code has expired\. Run parley login again\.\n$/);
    const ctrlC = new AbortController();
    const interrupted = await logIn(async () => ctrlC.abort(), { interrupted: ctrlC.signal });
    assert.match(interrupted.err, /\nThe login was interrupted\. No key was stored\.\n$/);
    assert.deepEqual(
      [denied, expired, interrupted].map(({ code, out, file }) => [code, out, existsSync(file)]),
      [
        [exitCodes.credentials, '', false],
        [exitCodes.refused, '', false],
        [exitCodes.interrupted, '', false],
      ],
    );
  });

  it('reads a piped key without a browser', async () => {
    const { key } = await signInAs(parley);
    const { code, err } = await terminal({ PARLEY_URL: parley.baseUrl }).run(['login'], { piped: key });
    assert.deepEqual([code, err], [exitCodes.done, '']);
  });

  it('suggests --key if the server does not support browser login', async () => {
    const missing = { kind: 'answer', status: 404, body: '{"error":{"code":"not_found"}}' } as const;
    const proxy = await FaultyProxy.start(parley.baseUrl, [missing]);
    try {
      const { code, err } = await logIn(async () => undefined, { url: proxy.url });
      assert.deepEqual(
        [code, err],
        [exitCodes.refused, `${proxy.url} does not support browser login. Run parley login --key.\n`],
      );
    } finally {
      await proxy.stop();
    }
  });

  it('opens no browser over SSH, or on Linux without a display', () => {
    const [display, remote] = [{ DISPLAY: ':0' }, { SSH_CONNECTION: '::1 1 ::1 22' }];
    assert.deepEqual(findOpener('linux', display), ['xdg-open']);
    assert.deepEqual(findOpener('linux', {}), []);
    assert.deepEqual(findOpener('darwin', {}), ['open']);
    for (const platform of ['linux', 'darwin'] as const)
      assert.deepEqual(findOpener(platform, { ...display, ...remote }), []);
    assert.deepEqual(findOpener('win32', {}), ['rundll32', 'url.dll,FileProtocolHandler']);
  });
});
