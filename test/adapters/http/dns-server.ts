import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

export type DnsAnswer = { addresses: string[]; ttlSeconds?: number } | 'SERVFAIL' | 'NXDOMAIN' | 'silence';

export interface DnsQuestion {
  name: string;
  family: 4 | 6;
}

const CODES = { SERVFAIL: 2, NXDOMAIN: 3 };
const QUESTION_AT = 12;
const TYPE_OF_AAAA = 28;

/** A name server on a free loopback port, which answers questions for addresses. */
export class DnsServer {
  readonly questions: DnsQuestion[] = [];
  readonly #socket: Socket = createSocket('udp4');

  /** @param answer addresses of the other family are left out */
  static async start(answer: (question: DnsQuestion) => DnsAnswer): Promise<DnsServer> {
    const server = new DnsServer();
    server.#socket.on('message', (query, { port, address }) => {
      const { name, family, end } = readQuestion(query);
      server.questions.push({ name, family });
      const given = answer({ name, family });
      if (given !== 'silence')
        server.#socket.send(writeAnswer(query.subarray(0, end), family, given), port, address);
    });
    server.#socket.bind(0, '127.0.0.1');
    await once(server.#socket, 'listening');
    return server;
  }

  /** As `createNameServerResolver` takes it. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** The names asked for, without those for IPv6 addresses. */
  get names(): string[] {
    return this.questions.filter(({ family }) => family === 4).map(({ name }) => name);
  }

  close(): void {
    this.#socket.close();
  }
}

function readQuestion(query: Buffer): DnsQuestion & { end: number } {
  const labels: string[] = [];
  let at = QUESTION_AT;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const family = query.readUInt16BE(at + 1) === TYPE_OF_AAAA ? 6 : 4;
  return { name: labels.join('.').toLowerCase(), family, end: at + 5 };
}

function writeAnswer(query: Buffer, family: 4 | 6, answer: Exclude<DnsAnswer, 'silence'>): Buffer {
  const head = Buffer.from(query);
  const isFailure = typeof answer === 'string';
  const addresses = isFailure ? [] : answer.addresses.filter((each) => each.includes(':') === (family === 6));
  head.writeUInt16BE(0x8180 | (isFailure ? CODES[answer] : 0), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const bytes = bytesOf(address, family);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc000 | QUESTION_AT, 0);
    record.writeUInt16BE(family === 6 ? TYPE_OF_AAAA : 1, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE((!isFailure && answer.ttlSeconds) || 0, 6);
    record.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([head, ...records]);
}

/** @param address where it is IPv6, one that is written out */
function bytesOf(address: string, family: 4 | 6): Buffer {
  if (family === 4) return Buffer.from(address.split('.').map(Number));
  return Buffer.from(
    address
      .split(':')
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
  );
}
