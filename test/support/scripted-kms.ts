import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

interface Owner {
  secret: string;
  region: string;
}

/** A fake of AWS KMS that returns scripted errors and checks signatures (Signature Version 4) as AWS documents them. */
export class ScriptedKms {
  /** Error with which the fake responds to each request; null for success. */
  respond: { status: number; code: string } | null = null;
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(owner: Owner): Promise<ScriptedKms> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const kms = new ScriptedKms(server);
    server.on('request', (incoming, outgoing) => void kms.#serve(incoming, outgoing, owner));
    return kms;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse, owner: Owner): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const { status, code } = this.respond ?? { status: 200, code: '' };
    if (!isSigned(incoming, body, owner))
      return sendKmsAnswer(outgoing, 400, { __type: 'InvalidSignatureException' });
    if (status !== 200) return sendKmsAnswer(outgoing, status, { __type: code });
    sendKmsAnswer(outgoing, 200, { CiphertextBlob: 'd3JhcHBlZA==', Plaintext: 'b3BlbmVk' });
  }
}

function sendKmsAnswer(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

function isSigned({ headers }: IncomingMessage, body: Buffer, { secret, region }: Owner): boolean {
  const parts = /SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '');
  const time = headers['x-amz-date'];
  if (!parts || typeof time !== 'string') return false;
  const [, names = '', given = ''] = parts;
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, hashSha256(body)].join('\n');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/kms/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hashSha256(canonical)].join('\n');
  const key = [day, region, 'kms', 'aws4_request'].reduce<string | Buffer>(computeHmac, `AWS4${secret}`);
  return timingSafeEqual(computeHmac(key, toSign), Buffer.from(given, 'hex'));
}

function hashSha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function computeHmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
