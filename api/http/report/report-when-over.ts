import type { ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { ErrorCode } from '../../../core/errors/error-codes.ts';
import type { Logger } from '../../../core/logger.ts';
import type { RequestBasics } from '../request-basics.ts';
import { endRequestSpan } from './request-span.ts';
import type { RequestReport } from './request-report.ts';

export type Reporter = (report: RequestReport) => void;

/** Writes a log line for each request. It needs no redaction, which would cost more than the line itself. */
export function logReporter(log: Logger): Reporter {
  const lines = log.child({}, { redact: [] });
  return (report) => lines.info(report, 'request');
}

/** Status that was written on the connection instead of the response. */
const REPLACEMENT = Symbol('replacement');
type Replaceable = ServerResponse & { [REPLACEMENT]?: { status: number; errorCode: ErrorCode } };

/** Records that another response than `response` was sent. */
export function noteReplacement(response: Replaceable, status: number, errorCode: ErrorCode): void {
  response[REPLACEMENT] = { status, errorCode };
}

/**
 * Watches a request until it has been handled and its response is sent, or its caller has disconnected.
 * @returns function to call once it has been handled
 */
export function reportWhenOver(
  { res: response, method }: Koa.Context,
  basics: RequestBasics,
  report: Reporter,
): () => void {
  const startedAt = performance.now();
  let pending = 2;
  const oneIsOver = (): void => {
    pending -= 1;
    if (pending > 0) return;
    const { requestId, operation, span, caller, errorCode } = basics;
    const over: RequestReport = {
      requestId,
      ...(span && { traceId: span.traceId }),
      ...(operation !== undefined && { operation }),
      method,
      ...buildOutcome(response, errorCode),
      durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
      ...caller,
    };
    report(over);
    if (span) endRequestSpan(span, over);
  };
  response.once('close', oneIsOver);
  return oneIsOver;
}

function buildOutcome(
  response: Replaceable,
  errorCode: ErrorCode | undefined,
): Pick<RequestReport, 'status' | 'errorCode' | 'aborted'> {
  const replacement = response[REPLACEMENT];
  if (replacement) return replacement;
  return {
    status: response.headersSent ? response.statusCode : null,
    ...(errorCode !== undefined && { errorCode }),
    ...(!response.writableFinished && { aborted: true }),
  };
}
