import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket as TcpSocket } from 'node:net';

interface DnsAddresses {
  addresses: string[];
  ttlSeconds?: number;
  /** Chain of DNS aliases from the requested name; the last alias has the addresses. */
  aliases?: string[];
  /** True if the DNS answer over UDP is truncated; the answer over TCP is complete. */
  isTruncated?: boolean;
}

export type DnsAnswer = DnsAddresses | 'SERVFAIL' | 'NXDOMAIN' | 'silence';

export interface DnsQuestion {
  name: string;
  family: 4 | 6;
  isOverTcp: boolean;
}

const NOTHING: DnsAddresses = { addresses: [] };
const CODES = { SERVFAIL: 2, NXDOMAIN: 3 };
const QUESTION_AT = 12;
const TYPE_OF_AAAA = 28;
const TYPE_OF_CNAME = 5;
const TRUNCATED = 0x0200;

/** A fake DNS server on a free loopback port, by UDP and TCP, which answers questions for addresses. */
export class DnsServer {
  readonly questions: DnsQuestion[] = [];
  readonly #socket: Socket = createSocket('udp4');
  readonly #tcp: Server = createServer();
  readonly #connections = new Set<TcpSocket>();

  /** @param answer returns the addresses of a name; the server omits those that are not of the requested family */
  static async start(answer: (question: DnsQuestion) => DnsAnswer): Promise<DnsServer> {
    const server = new DnsServer();
    const answerTo = (query: Buffer, isOverTcp: boolean): Buffer | undefined => {
      const { end, ...asked } = readQuestion(query);
      const question = { ...asked, isOverTcp };
      server.questions.push(question);
      const result = answer(question);
      return result === 'silence' ? undefined : writeAnswer(query.subarray(0, end), question, result);
    };
    server.#socket.on('message', (query, { port, address }) => {
      const result = answerTo(query, false);
      if (result) server.#socket.send(result, port, address);
    });
    server.#tcp.on('connection', (connection) => {
      server.#connections.add(connection);
      connection.on('error', () => {});
      // Handle each chunk as one DNS question, which is small enough to arrive in one chunk.
      connection.on('data', (data) => {
        for (let at = 0; at < data.length; at += 2 + data.readUInt16BE(at)) {
          const result = answerTo(data.subarray(at + 2, at + 2 + data.readUInt16BE(at)), true);
          const length = Buffer.alloc(2);
          length.writeUInt16BE(result?.length ?? 0);
          if (result) connection.write(Buffer.concat([length, result]));
        }
      });
    });
    server.#tcp.listen(0, '127.0.0.1');
    await once(server.#tcp, 'listening');
    // Use the TCP server's port: it is almost always free for UDP, too, which few programs use.
    server.#socket.bind((server.#tcp.address() as AddressInfo).port, '127.0.0.1');
    await once(server.#socket, 'listening');
    return server;
  }

  /** Address of the DNS server, in the form that `createNameServerResolver` expects. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** Names that clients have requested, without the questions for IPv6 addresses. */
  get names(): string[] {
    return this.questions.filter(({ family }) => family === 4).map(({ name }) => name);
  }

  close(): void {
    this.#socket.close();
    for (const connection of this.#connections) connection.destroy();
    this.#tcp.close();
  }
}

function readQuestion(query: Buffer): Omit<DnsQuestion, 'isOverTcp'> & { end: number } {
  const labels: string[] = [];
  let at = QUESTION_AT;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const family = query.readUInt16BE(at + 1) === TYPE_OF_AAAA ? 6 : 4;
  return { name: labels.join('.').toLowerCase(), family, end: at + 5 };
}

function writeAnswer(
  query: Buffer,
  { family, isOverTcp }: DnsQuestion,
  answer: Exclude<DnsAnswer, 'silence'>,
): Buffer {
  const head = Buffer.from(query);
  const isFailure = typeof answer === 'string';
  const { aliases = [], ttlSeconds = 0, isTruncated = false, ...given } = isFailure ? NOTHING : answer;
  const addresses = given.addresses.filter((each) => each.includes(':') === (family === 6));
  const flags = isTruncated && !isOverTcp ? TRUNCATED : 0;
  head.writeUInt16BE(0x8180 | flags | (isFailure ? CODES[answer] : 0), 2);
  head.writeUInt16BE(aliases.length + addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const asked = Buffer.from([0xc0, QUESTION_AT]);
  const names = [asked, ...aliases.map(encodeDnsName)];
  const records = [
    ...aliases.map((alias, index) =>
      encodeRecord(names[index]!, TYPE_OF_CNAME, ttlSeconds, encodeDnsName(alias)),
    ),
    ...addresses.map((address) =>
      encodeRecord(
        names.at(-1)!,
        family === 6 ? TYPE_OF_AAAA : 1,
        ttlSeconds,
        encodeAddress(address, family),
      ),
    ),
  ];
  return Buffer.concat([head, ...records]);
}

function encodeRecord(name: Buffer, type: number, ttlSeconds: number, data: Buffer): Buffer {
  const record = Buffer.alloc(10);
  record.writeUInt16BE(type, 0);
  record.writeUInt16BE(1, 2);
  record.writeUInt32BE(ttlSeconds, 4);
  record.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, record, data]);
}

function encodeDnsName(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}

/** @param address an IP address; if IPv6, without `::` */
function encodeAddress(address: string, family: 4 | 6): Buffer {
  if (family === 4) return Buffer.from(address.split('.').map(Number));
  return Buffer.from(
    address
      .split(':')
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
  );
}
