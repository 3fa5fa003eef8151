import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'protobufjs';

type Attributes = Record<string, unknown>;

interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  kind: number;
  attributes: Attributes;
  isError: boolean;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  contentTypes: Set<string>;
  /**
   * Returns the only received span of that name.
   * @throws Error unless there is exactly one
   */
  findSpan(name: string): ReceivedSpan;
  close(): Promise<void>;
}

/** Part of opentelemetry/proto/collector/trace/v1/trace_service.proto that the tests use. */
const { root } = parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    repeated KeyValue attributes = 9; Status status = 15;
  }
  message Status { int32 code = 3; }
  message KeyValue { string key = 1; Value value = 2; }
  message Value { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`);
const Request = root.lookupType('Request');

interface KeyValue {
  key: string;
  value?: Record<string, unknown>;
}

interface TraceRequest {
  resourceSpans?: {
    resource: { attributes: KeyValue[] };
    scopeSpans: {
      spans: {
        traceId: string | Buffer;
        spanId: string | Buffer;
        parentSpanId?: string | Buffer;
        name: string;
        kind: number;
        attributes?: KeyValue[];
        status?: { code?: number };
      }[];
    }[];
  }[];
}

const ERROR = 2;

/** Starts a fake collector of traces that accepts OTLP over HTTP in both encodings. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const contentTypes = new Set<string>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const contentType = request.headers['content-type'] ?? '';
      contentTypes.add(contentType);
      if (request.url === '/v1/traces') spans.push(...decodeSpans(Buffer.concat(parts), contentType));
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': contentType }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    contentTypes,
    findSpan: (name) => {
      const [span, ...others] = spans.filter((each) => each.name === name);
      if (!span || others.length > 0) {
        const names = spans.map((each) => each.name).join(', ');
        throw new Error(`There are ${span ? others.length + 1 : 0} spans "${name}" among: ${names}`);
      }
      return span;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function decodeSpans(body: Buffer, contentType: string): ReceivedSpan[] {
  const request: TraceRequest =
    contentType === 'application/json'
      ? JSON.parse(body.toString())
      : Request.toObject(Request.decode(body), { longs: Number });
  return (request.resourceSpans ?? []).flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(toAttributes(resource.attributes)['service.name']),
        name: span.name,
        traceId: toHex(span.traceId),
        spanId: toHex(span.spanId),
        parentSpanId: toHex(span.parentSpanId ?? ''),
        kind: span.kind,
        attributes: toAttributes(span.attributes),
        isError: span.status?.code === ERROR,
      })),
    ),
  );
}

const toHex = (id: string | Buffer) => (typeof id === 'string' ? id : id.toString('hex'));

function toAttributes(pairs: KeyValue[] = []): Attributes {
  return Object.fromEntries(pairs.map(({ key, value = {} }) => [key, Object.values(value)[0]]));
}
