import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

/** Error that the fake mail server returns instead of accepting a command. */
export class Refusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

export interface SmtpPeer {
  port: number;
  /** Emails that the server has accepted, in order. */
  mails: ParsedMail[];
  /** Email addresses of all recipients, in order. */
  recipients: string[];
  /** Whether each accepted email came over TLS, in order. */
  secured: boolean[];
  close(): Promise<void>;
}

export interface PeerOptions extends SMTPServerOptions {
  /** Function that responds to the recipient number `count`, from 1; undefined accepts the recipient. */
  onRecipient?: (count: number) => Refusal | 'disconnect' | undefined;
  /** Function that responds to the email number `count`, from 1; undefined accepts the email. */
  onMail?: (count: number) => Refusal | 'disconnect' | undefined;
}

/** Starts a fake mail server on a free port. */
export async function startSmtpPeer({
  onRecipient,
  onMail,
  ...options
}: PeerOptions = {}): Promise<SmtpPeer> {
  const mails: ParsedMail[] = [];
  const recipients: string[] = [];
  const secured: boolean[] = [];
  let count = 0;
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    ...options,
    onRcptTo: ({ address }, session, callback) => {
      recipients.push(address);
      const answer = onRecipient?.(recipients.length);
      if (answer === 'disconnect') return cutOff(session.id);
      callback(answer);
    },
    onData: (stream, session, callback) => {
      void simpleParser(stream).then((mail) => {
        const answer = onMail?.((count += 1));
        if (answer === 'disconnect') return cutOff(session.id);
        if (answer === undefined) {
          mails.push(mail);
          secured.push(session.secure);
        }
        callback(answer);
      });
    },
  });
  const cutOff = (id: string) => {
    for (const connection of server.connections) {
      const { session, _socket: socket } = connection as {
        session?: { id: string };
        _socket?: { destroy(): void };
      };
      if (session?.id === id) socket?.destroy();
    }
  };
  server.on('error', () => {}); // Ignore errors: clients that refuse a certificate end the connection.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    recipients,
    secured,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export interface Certificate {
  key: string;
  cert: string;
  file: string;
}

/** Creates a self-signed certificate for the named host. */
export async function makeCertificate(host = 'localhost'): Promise<Certificate> {
  const folder = makeTemporaryFolder();
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = `-subj /CN=${host} -addext subjectAltName=DNS:${host}`;
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  const command = `req -x509 -days 2 ${key} ${subject}`;
  await promisify(execFile)('openssl', [...command.split(' '), '-keyout', keyFile, '-out', file]);
  const [privateKey, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(file, 'utf8')]);
  return { key: privateKey, cert, file };
}
