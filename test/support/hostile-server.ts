import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Schema {
  $ref?: string;
  type?: string | string[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  const?: unknown;
}

interface ApiDocument {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, Schema> };
}

interface Documented {
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const documents = ['openapi.json', 'openapi.ext.json'].map(
  (name) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as ApiDocument,
);
const paths = Object.assign({}, ...documents.map((each) => each.paths)) as ApiDocument['paths'];
const schemas = Object.assign({}, ...documents.map(({ components }) => components.schemas)) as Record<
  string,
  Schema
>;

/**
 * Text that contains a terminal title, a clipboard write, a cleared screen, an overwritten line, C1 controls,
 * reversed text and invisible letters.
 */
export const HOSTILE_TEXT =
  'Price\x1b]0;owned\x07\x1b]52;c;cm0gLXJm\x07\x1b[2J\b\r12\u0085\u009b31m\u202egnp.exe\u2066\u200bx\u2028\ufeff\u{e0041}\x7f';

/** Behavior of the server: documented responses, or errors or redirects in which every text is hostile. */
export type Behavior = 'answers' | 'refuses' | 'redirects';

/** A server that answers any operation as documented, with one text as the value of every string. */
export class HostileServer {
  readonly #behavior: Behavior;
  readonly #text: string;
  readonly #server = createServer((request, response) => this.#respond(request, response));
  #answers = 0;

  private constructor(behavior: Behavior, text: string) {
    this.#behavior = behavior;
    this.#text = text;
  }

  static async start(behavior: Behavior, text = HOSTILE_TEXT): Promise<HostileServer> {
    const server = new HostileServer(behavior, text);
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    this.#answers += 1;
    const text = this.#text;
    if (this.#behavior === 'redirects')
      return void response.writeHead(302, { location: '/\u009b31m\u0085' }).end(text);
    if (this.#behavior === 'refuses')
      return sendJsonResponse(response, 422, {
        error: { code: text, message: text },
        details: [{ field: text, in: 'body', code: text, message: text }],
        request_id: text,
      });
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (pathname === '/mcp') return sendJsonResponse(response, 200, { jsonrpc: '2.0', id: 1, result: text });
    const types = findResponseContent(request.method ?? '', pathname);
    const accepted = request.headers.accept ?? '';
    if (accepted.includes('event-stream'))
      return sendReplyEvents(response, text, this.#buildSample('PlaygroundReply'));
    const json = types['application/json'];
    if (json && !searchParams.has('format'))
      return sendJsonResponse(response, 200, this.#buildValue(json.schema));
    const [type = 'text/plain'] = Object.keys(types).filter((each) => each !== 'application/json');
    response.writeHead(200, { 'content-type': type }).end(text);
  }

  #buildSample(name: string): unknown {
    return this.#buildValue({ $ref: `#/components/schemas/${name}` });
  }

  /**
   * Builds a value of a JSON Schema. Lists have one item. Ids differ in each response, so that all are new to
   * a caller.
   */
  #buildValue(schema: Schema, depth = 0): unknown {
    const { $ref, allOf, anyOf, oneOf } = schema;
    if ($ref !== undefined) return this.#buildValue(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, depth);
    if (allOf) return Object.assign({}, ...allOf.map((each) => this.#buildValue(each, depth))) as unknown;
    const [first] = anyOf ?? oneOf ?? [];
    if (first) return this.#buildValue(first, depth);
    if ('const' in schema) return schema.const;
    const [type = 'string'] = [schema.type ?? []].flat();
    if (type === 'array') return depth > 8 ? [] : [this.#buildValue(schema.items ?? {}, depth + 1)];
    if (type === 'object') {
      const fields = Object.entries(depth > 8 ? {} : (schema.properties ?? { [this.#text]: {} }));
      return Object.fromEntries(
        fields.map(([name, each]) => [name, this.#buildField(name, each, depth + 1)]),
      );
    }
    if (type === 'boolean') return false;
    return type === 'integer' || type === 'number' ? 1 : `${this.#text}${this.#answers}`;
  }

  #buildField(name: string, schema: Schema, depth: number): unknown {
    if (name === 'next_cursor') return null;
    // Return the status of an indexed document, because commands wait for it.
    return name === 'status' ? 'indexed' : this.#buildValue(schema, depth);
  }
}

/** Returns the documented content of an operation's successful response, by media type. */
function findResponseContent(method: string, pathname: string): Record<string, { schema: Schema }> {
  const operations = Object.entries(paths).filter(([path]) =>
    new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  // A path without parameters takes precedence over a path pattern that also matches it.
  const [found] = operations.toSorted(([a], [b]) => a.split('{').length - b.split('{').length);
  const responses = Object.entries(found?.[1][method.toLowerCase()]?.responses ?? {});
  return responses.find(([status]) => status < '3')?.[1].content ?? {};
}

function sendJsonResponse(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Sends the text of an answer in two events, split within an escape sequence, then the whole answer. */
function sendReplyEvents(response: ServerResponse, text: string, reply: unknown): void {
  const halves = [text.slice(0, 6), text.slice(6)];
  const deltas = halves.map((half) => formatServerEvent('delta', { text: half }));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(deltas.join('') + formatServerEvent('done', { reply }));
}

function formatServerEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
