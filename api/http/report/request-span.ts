import type Koa from 'koa';
import type { Span, Tracing } from '../../../adapters/telemetry/tracing.ts';
import type { RequestBasics } from '../request-basics.ts';
import type { RequestReport } from './request-report.ts';

/** HTTP methods that have a name in OpenTelemetry's conventions. A span names all other methods `_OTHER`. */
const namedMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
]);

/**
 * Runs a request in a trace span by OpenTelemetry's conventions for HTTP servers, within the caller's trace.
 * The span ends with the response.
 * @param path path of the operation with its parameters; unknown paths are omitted
 */
export function traceRequest(
  tracing: Tracing,
  koa: Koa.Context,
  basics: RequestBasics,
  path: string | undefined,
  run: () => Promise<void>,
): Promise<void> {
  const { requestId, operation, ip } = basics;
  const isNamed = namedMethods.has(koa.method);
  const shownMethod = isNamed ? koa.method : 'HTTP';
  basics.span = tracing.start(path === undefined ? shownMethod : `${shownMethod} ${path}`, {
    kind: 'server',
    parent: koa.req.headers['traceparent'],
    attributes: {
      'http.request.method': isNamed ? koa.method : '_OTHER',
      'url.scheme': koa.protocol,
      'client.address': ip,
      'network.protocol.version': koa.req.httpVersion,
      'parley.request_id': requestId,
      ...(path !== undefined && { 'http.route': path }),
      // Omits path parameters that may be secrets or content from the span.
      ...(basics.describeTarget && { 'url.path': basics.describeTarget().path }),
      ...(operation !== undefined && { 'parley.operation': operation }),
    },
  });
  return tracing.within(basics.span, run);
}

export function endRequestSpan(
  span: Span,
  { status, errorCode, aborted, principal, orgId }: RequestReport,
): void {
  span.set({
    'http.response.status_code': status ?? undefined,
    'parley.principal': `${principal.type}:${principal.id}`,
    'parley.org_id': orgId,
    'parley.error_code': errorCode,
    'parley.aborted': aborted,
  });
  span.end(status !== null && status >= 500 ? String(status) : undefined);
}
