import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import type { OutgoingMail } from '../../adapters/mail/mail-transport.ts';
import { SmtpTransport, type SmtpSettings } from '../../adapters/mail/smtp-transport.ts';
import {
  makeCertificate,
  Refusal,
  startSmtpPeer,
  type Certificate,
  type PeerOptions,
  type SmtpPeer,
} from './smtp-peer.ts';

const mail: OutgoingMail = {
  messageId: '0199a1b2@example.com',
  to: 'ada@example.com',
  subject: 'Grüße aus Łódź',
  html: '<p>Hello</p>',
  text: 'Hello\n',
  date: new Date('2026-11-21T14:00:00Z'),
  headers: { 'Auto-Submitted': 'auto-generated' },
};

describe('the SMTP transport', () => {
  let certificate: Certificate;
  const peers: SmtpPeer[] = [];

  before(async () => {
    certificate = await makeCertificate();
  });
  afterEach(() => Promise.all(peers.splice(0).map((peer) => peer.close())));

  async function peerThat(options: PeerOptions = {}): Promise<SmtpPeer> {
    const peer = await startSmtpPeer({ ...withTls(), ...options });
    peers.push(peer);
    return peer;
  }

  function transport(url: string, changes: Partial<SmtpSettings> = {}): SmtpTransport {
    const mailFrom = 'Parley <parley@example.com>';
    return new SmtpTransport({
      smtpUrl: url,
      smtpTls: 'required',
      smtpTimeoutMs: 60_000,
      smtpCaFile: certificate.file,
      mailFrom,
      ...changes,
    });
  }

  const plain = (peer: SmtpPeer, changes: Partial<SmtpSettings> = {}) =>
    transport(`smtp://localhost:${peer.port}`, { smtpTls: 'none', ...changes });
  const withTls = () => ({ key: certificate.key, cert: certificate.cert });

  it('sends an email unchanged, with its Message-ID, over STARTTLS', async () => {
    const peer = await peerThat();
    assert.deepEqual(await transport(`smtp://localhost:${peer.port}`).send(mail), { kind: 'sent' });
    const [arrived] = peer.mails;
    assert.equal(arrived!.subject, mail.subject);
    assert.equal(arrived!.text, mail.text);
    assert.equal(arrived!.html, mail.html);
    assert.equal(arrived!.messageId, '<0199a1b2@example.com>');
    assert.equal(arrived!.from!.text, '"Parley" <parley@example.com>');
    assert.equal(arrived!.headers.get('auto-submitted'), 'auto-generated');
    assert.deepEqual(arrived!.date, mail.date);
    assert.deepEqual(peer.secured, [true]);
  });

  it('sends an email over SMTPS with credentials', async () => {
    const seen: unknown[] = [];
    const peer = await peerThat({
      ...withTls(),
      secure: true,
      authOptional: false,
      onAuth: ({ username, password }, _session, callback) => {
        seen.push([username, password]);
        callback(null, { user: 'parley' });
      },
    });
    const url = `smtps://parley%40example.com:p%40ss%2Fword@localhost:${peer.port}`;
    assert.deepEqual(await transport(url).send(mail), { kind: 'sent' });
    assert.deepEqual(seen, [['parley@example.com', 'p@ss/word']]);
    assert.deepEqual(peer.secured, [true]);
  });

  it('postpones the email if STARTTLS is missing, and sends nothing in clear text', async () => {
    const peer = await peerThat({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
    const { kind } = await transport(`smtp://localhost:${peer.port}`).send(mail);
    assert.equal(kind, 'deferred');
    assert.deepEqual(peer.recipients, []);
  });

  for (const secure of [true, false]) {
    const scheme = secure ? 'smtps' : 'smtp';
    it(`postpones the email for ${scheme} if the certificate is self-signed or belongs to another host`, async () => {
      const own = await peerThat({ ...withTls(), secure });
      const unknown = await transport(`${scheme}://localhost:${own.port}`, { smtpCaFile: undefined }).send(
        mail,
      );
      const other = await makeCertificate('mail.example.org');
      const foreign = await peerThat({ key: other.key, cert: other.cert, secure });
      const misnamed = await transport(`${scheme}://localhost:${foreign.port}`, {
        smtpCaFile: other.file,
      }).send(mail);
      assert.equal(unknown.kind, 'deferred');
      assert.match('reason' in unknown ? unknown.reason : '', /self-signed certificate/);
      assert.equal(misnamed.kind, 'deferred');
      assert.match('reason' in misnamed ? misnamed.reason : '', /does not match/);
      assert.deepEqual([...own.recipients, ...foreign.recipients], []);
    });
  }

  const answers: [string, PeerOptions, { kind: string; isAddressBad?: boolean }][] = [
    [
      '450 for the recipient',
      { onRecipient: () => new Refusal(450, '4.2.0 Greylisted') },
      { kind: 'deferred' },
    ],
    ['452 for the email', { onMail: () => new Refusal(452, '4.3.1 Full') }, { kind: 'deferred' }],
    [
      '550 for the recipient',
      { onRecipient: () => new Refusal(550, 'No such user') },
      { kind: 'refused', isAddressBad: true },
    ],
    [
      '5.1.1 for the recipient',
      { onRecipient: () => new Refusal(550, '5.1.1 Unknown') },
      { kind: 'refused', isAddressBad: true },
    ],
    [
      'a full mailbox',
      { onRecipient: () => new Refusal(552, '5.2.2 Full') },
      { kind: 'refused', isAddressBad: false },
    ],
    [
      'a refused relay',
      { onRecipient: () => new Refusal(550, '5.7.1 Relaying denied') },
      { kind: 'refused', isAddressBad: false },
    ],
    [
      'an email with refused content',
      { onMail: () => new Refusal(554, '5.7.1 Spam') },
      { kind: 'refused', isAddressBad: false },
    ],
    [
      'an unknown user after the email',
      { onMail: () => new Refusal(550, '5.1.1 Unknown') },
      { kind: 'refused', isAddressBad: true },
    ],
    ['a connection that breaks at the recipient', { onRecipient: () => 'disconnect' }, { kind: 'deferred' }],
    ['a connection that breaks after the email', { onMail: () => 'disconnect' }, { kind: 'deferred' }],
  ];
  for (const [what, options, expected] of answers) {
    it(`returns ${expected.kind} for ${what}`, async () => {
      const { reason, ...outcome } = (await plain(await peerThat(options)).send(mail)) as { reason: string };
      assert.deepEqual(outcome, expected);
      assert.ok(reason.length > 0);
    });
  }

  it('postpones the email if the credentials are wrong, since operators can correct them', async () => {
    const peer = await peerThat({
      ...withTls(),
      authOptional: false,
      onAuth: (_auth, _session, callback) => callback(new Refusal(535, '5.7.8 Bad credentials')),
    });
    const { kind } = await transport(`smtp://parley:wrong@localhost:${peer.port}`).send(mail);
    assert.equal(kind, 'deferred');
  });

  it('postpones the email if no server listens', async () => {
    const { kind } = await transport('smtp://localhost:9').send(mail);
    assert.equal(kind, 'deferred');
  });

  it('times out soon if a server is silent', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const startedAt = performance.now();
    const { kind } = await transport(`smtp://127.0.0.1:${port}`, { smtpTimeoutMs: 200 }).send(mail);
    assert.equal(kind, 'deferred');
    assert.ok(performance.now() - startedAt < 10_000);
    silent.close();
  });

  it('omits addresses and links from servers’ messages', async () => {
    const answer = '5.7.1 <ada@example.com> blocked https://parley.example.com/reset?token=abc123 in it';
    const peer = await peerThat({ onMail: () => new Refusal(554, answer) });
    const outcome = await plain(peer).send(mail);
    assert.equal(
      'reason' in outcome && outcome.reason,
      'The mail server answered: 554 5.7.1 … blocked … in it',
    );
  });

  it('gives a reason of at most 300 characters, without characters that PostgreSQL cannot store', async () => {
    // Start a plain server, because the fake mail server of the other tests removes NUL characters.
    const server = createServer((socket) => {
      socket.write('220 mail.example.com\r\n');
      socket.on('data', (data) => {
        const isRefused = /^MAIL/i.test(String(data));
        socket.write(isRefused ? `550 5.7.1 No\u0000 ${'x'.repeat(5000)}\r\n` : '250 OK\r\n');
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const outcome = await transport(`smtp://127.0.0.1:${port}`, { smtpTls: 'none' }).send(mail);
    const start = 'The mail server answered: 550 5.7.1 No ';
    const reason = `${start}${'x'.repeat(299 - start.length)}…`;
    assert.deepEqual(outcome, { kind: 'refused', reason, isAddressBad: false });
    server.close();
  });

  it('sends to one address at a time, whatever its syntax', async () => {
    const peer = await peerThat();
    for (const to of [
      'ada@example.com, eve@example.com',
      'ada@example.com\r\nRCPT TO:<eve@example.com>',
      'Ada <ada@example.com>',
      '',
      'ada',
    ]) {
      const outcome = await plain(peer).send({ ...mail, to });
      assert.deepEqual(outcome, {
        kind: 'refused',
        reason: 'Email cannot be sent to this kind of address.',
        isAddressBad: true,
      });
    }
    assert.deepEqual(peer.recipients, []);
  });
});
