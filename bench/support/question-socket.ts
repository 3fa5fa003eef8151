import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface StreamedAnswer {
  /** Milliseconds from the request to the first bytes of the first event. */
  firstEventMs: number;
  /** Milliseconds from the request to the first bytes of the answer's text. */
  firstTextMs: number;
  events: number;
}

const EVENT = '\nevent: ';
const TEXT = '\nevent: delta';
const LAST_CHUNK = '\r\n0\r\n\r\n';

/**
 * A visitor's network connection. Like the widget's, it is open before the visitor asks. Supports only the
 * part of HTTP/1.1 that successive requests need, since Node's own client would use a whole CPU core for many
 * visitors.
 */
export class QuestionSocket {
  readonly #socket: Socket;
  readonly #host: string;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
  }

  static async open(apiUrl: string): Promise<QuestionSocket> {
    const { hostname, port, host } = new URL(apiUrl);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new QuestionSocket(socket.setEncoding('latin1'), host);
  }

  /** Posts a question as JSON and reads the stream of the answer to its end. */
  ask(path: string, token: string, body: string): Promise<StreamedAnswer> {
    const request = [
      `POST ${path} HTTP/1.1`,
      `Host: ${this.#host}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n');
    return new Promise((resolve, reject) => {
      let firstEventMs: number | undefined;
      let firstTextMs: number | undefined;
      let text = '';
      const fail = () => reject(new Error(`A stream was refused or broke off: ${text.split('\r\n')[0]}`));
      const read = (part: string) => {
        text += part;
        if (firstEventMs === undefined && text.includes(EVENT)) firstEventMs = performance.now() - startedAt;
        if (firstTextMs === undefined && text.includes(TEXT)) firstTextMs = performance.now() - startedAt;
        if (!text.startsWith('HTTP/1.1 200 ')) fail();
        if (!text.endsWith(LAST_CHUNK)) return;
        this.#socket.off('data', read).off('close', fail);
        resolve({
          firstEventMs: firstEventMs ?? NaN,
          firstTextMs: firstTextMs ?? NaN,
          events: text.split(EVENT).length - 1,
        });
      };
      this.#socket.on('data', read).once('close', fail);
      const startedAt = performance.now();
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
