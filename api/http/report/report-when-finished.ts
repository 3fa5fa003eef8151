import type { ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { ErrorCode } from '../../../core/errors/error-codes.ts';
import type { Logger } from '../../../core/logger.ts';
import type { RequestTarget } from '../../../services/requests/request-log.ts';
import type { RequestBasics } from '../request-basics.ts';
import { endRequestSpan } from './request-span.ts';
import type { RequestReport } from './request-report.ts';

/**
 * Receives the report of a finished request, for example to log it.
 * @param describeTarget returns the target for the request log; undefined if no operation matches
 */
export type Reporter = (report: RequestReport, describeTarget?: () => RequestTarget) => void;

/**
 * Creates a reporter that logs each finished request. Redaction is disabled: reports contain no secrets, and
 * redaction would cost more than the log line.
 */
export function logReporter(log: Logger): Reporter {
  const lines = log.child({}, { redact: [] });
  return (report) => lines.info(report, 'request');
}

/** Property of a response that holds the status and error code of another response, which was sent in its place. */
const REPLACEMENT = Symbol('replacement');
type Replaceable = ServerResponse & { [REPLACEMENT]?: { status: number; errorCode: ErrorCode } };

/** Records that another response was sent in place of `response`. */
export function noteReplacement(response: Replaceable, status: number, errorCode: ErrorCode): void {
  response[REPLACEMENT] = { status, errorCode };
}

/**
 * Reports a request when two things have happened: its handling has ended, and its response is sent or the
 * client has disconnected.
 * @returns function to call when the handling has ended
 */
export function reportWhenFinished(
  { res: response, method }: Koa.Context,
  basics: RequestBasics,
  report: Reporter,
): () => void {
  const startedAt = performance.now();
  let pending = 2;
  const finishOne = (): void => {
    pending -= 1;
    if (pending > 0) return;
    const { requestId, operation, describeTarget, span, caller, errorCode, errorSubject } = basics;
    const finalReport: RequestReport = {
      requestId,
      ...(span && { traceId: span.traceId }),
      ...(operation !== undefined && { operation }),
      method,
      ...buildOutcome(response, errorCode, errorSubject),
      durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
      ...caller,
    };
    report(
      finalReport,
      describeTarget && (() => ({ ...describeTarget(), isAuthorized: basics.isAuthorized })),
    );
    if (span) endRequestSpan(span, finalReport);
  };
  response.once('close', finishOne);
  return finishOne;
}

function buildOutcome(
  response: Replaceable,
  errorCode: ErrorCode | undefined,
  errorSubject: string | undefined,
): Pick<RequestReport, 'status' | 'errorCode' | 'errorSubject' | 'aborted'> {
  const replacement = response[REPLACEMENT];
  if (replacement) return replacement;
  return {
    status: response.headersSent ? response.statusCode : null,
    ...(errorCode !== undefined && { errorCode }),
    ...(errorSubject !== undefined && { errorSubject }),
    ...(!response.writableFinished && { aborted: true }),
  };
}
