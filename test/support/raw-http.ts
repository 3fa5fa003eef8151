import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Headers;
  body: string;
}

export interface RawRequest {
  /** Bytes of the request to send, one write for each part. */
  parts: (string | Uint8Array)[];
  /** True to end the sending side of the connection afterwards, like a client that cancels. */
  end?: boolean;
}

/** Sends the bytes of a request unchanged and reads until the server closes the connection. */
export async function sendRaw(baseUrl: string, { parts, end }: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  for (const part of parts) socket.write(part);
  if (end) socket.end();
  return parseResponse(await readAll(socket));
}

/** Builds the text of a POST request from header lines and a body. */
export function buildRawPost(path: string, headers: string[], body: string | Uint8Array): RawRequest {
  return {
    parts: [`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers.join('\r\n')}\r\n\r\n`, body],
  };
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (data) => (text += String(data)));
  await new Promise<void>((resolve) => {
    // Ignore a reset: a server that refuses a body may reset the connection after its response.
    socket.once('error', () => resolve());
    socket.once('end', () => resolve());
    socket.once('close', () => resolve());
  });
  socket.destroy();
  return text;
}

function parseResponse(text: string): RawResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}
