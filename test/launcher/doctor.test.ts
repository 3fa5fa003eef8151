import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mailPagesToken } from '../../api/mail/mail-pages-access.ts';
import { loadSettings } from '../../core/settings/settings.ts';
import { startSmtpPeer } from '../mail/smtp-peer.ts';
import { useCommandLine } from './command-line.ts';

const MASTER_KEY = randomBytes(32).toString('base64');

describe('npm run parley -- doctor, about emails and the model,', () => {
  const { parley, servers } = useCommandLine();
  const doctor = (env: Record<string, string>) => parley(['doctor'], env);

  it('calls the mail server, or says where emails go without a mail server', async () => {
    const mailLine = async (env: Record<string, string>) =>
      (await doctor({ ...servers(), ...env })).stdout.split('\n')[4];
    const peer = await startSmtpPeer();
    const PARLEY_SMTP_URL = `smtp://127.0.0.1:${peer.port}`;
    assert.equal(
      await mailLine({ PARLEY_SMTP_URL, PARLEY_SMTP_TLS: 'none' }),
      `✓ Email: 127.0.0.1:${peer.port} accepts email`,
    );
    await peer.close();
    assert.equal(
      await mailLine({}),
      '✓ Email: no PARLEY_SMTP_URL, so emails are captured and shown at /dev/mail',
    );
    assert.equal(
      await mailLine({ PARLEY_BASE_URL: 'https://chat.example.com' }),
      '✓ Email: no PARLEY_SMTP_URL, so emails are captured, and no page shows them behind a proxy; set PARLEY_SMTP_URL to send emails',
    );
  });

  it('hides the token of the email pages, and mail-link prints the link that opens these pages', async () => {
    const PARLEY_MASTER_KEY = MASTER_KEY;
    const token = mailPagesToken(loadSettings({ PARLEY_MASTER_KEY }))!;
    const { stdout } = await doctor({ ...servers(), PARLEY_MASTER_KEY });
    assert.ok(!stdout.includes(token));
    assert.deepEqual(await parley(['mail-link'], { PARLEY_MASTER_KEY, PORT: '8080' }), {
      code: 0,
      stdout: `http://localhost:8080/dev/mail?token=${token}\n`,
      stderr: '',
    });
    assert.deepEqual(await parley(['mail-link'], { PARLEY_MASTER_KEY, PARLEY_TRUSTED_PROXIES: '1' }), {
      code: 1,
      stdout: '',
      stderr: 'No page shows emails, because a mail server is configured or Parley runs behind a proxy.\n',
    });
  });

  it('calls the model’s endpoint with the key, and asks for the model', async () => {
    const endpoint = createServer((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer right' ? 200 : 401;
      response.end(JSON.stringify({ data: [{ id: 'big-1' }] }));
    }).listen(0, '127.0.0.1');
    await once(endpoint, 'listening');
    const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`;
    const modelLine = async (key: string, model: string) => {
      const env = { PARLEY_MODEL_BASE_URL: url, PARLEY_MODEL_API_KEY: key, PARLEY_MODEL: model };
      return (await doctor({ ...servers(), ...env })).stdout.split('\n')[5];
    };
    assert.equal(await modelLine('right', 'big-1'), `✓ Model: big-1 at ${url}`);
    assert.equal(
      await modelLine('wrong', 'big-1'),
      `✗ Model: ${url} rejects the key (status 401). Check PARLEY_MODEL_API_KEY.`,
    );
    assert.equal(
      await modelLine('right', 'big-2'),
      `✗ Model: ${url} does not offer big-2. It offers big-1. Check PARLEY_MODEL.`,
    );
    endpoint.close();
  });
});
