import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { shippedVersions } from '../../../core/api-versions.ts';
import { AppError } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { peerAddress } from '../access/client-address.ts';
import { commonHeaders } from '../response/common-headers.ts';
import { toCaller } from '../access/principal.ts';
import { toProblem } from './problem.ts';
import { budgetHeaders, untouchedBudget } from '../limits/rate-limit.ts';
import { newRequestId } from '../request-basics.ts';
import { noteReplacement, type Reporter } from '../report/report-when-finished.ts';

/** A socket with the undocumented property in which Node stores the current response. */
type Connection = Socket & { _httpMessage?: ServerResponse | null };

export type ClientErrorHandler = (error: NodeJS.ErrnoException, connection: Duplex) => void;

/**
 * Creates a handler for requests that Node cannot parse. The handler sends an error response in the API's
 * usual format, and closes the connection.
 */
export function createClientErrorHandler(
  settings: Settings,
  versions = shippedVersions,
  report?: Reporter,
): ClientErrorHandler {
  const common = commonHeaders(settings);
  return (error, duplex) => {
    const connection = duplex as Connection; // The connection is always a TCP socket.
    const startedResponse = connection._httpMessage;
    if (!connection.writable || startedResponse?.headersSent) {
      connection.destroy();
      return;
    }
    const failure = toAppError(error);
    const requestId = String(startedResponse?.getHeader('X-Request-ID') ?? newRequestId());
    const { code: errorCode, status, headers } = failure;
    if (startedResponse) noteReplacement(startedResponse, status, errorCode);
    else
      report?.({ requestId, status, errorCode, durationMs: 0, ...toCaller({ ip: peerAddress(connection) }) });
    const body = JSON.stringify(toProblem(failure, requestId, settings.baseUrl));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...common.map(([name, value]) => `${name}: ${value}`),
      `X-Request-ID: ${requestId}`,
      `X-API-Version: ${versions.current}`,
      ...budgetHeaders(untouchedBudget(settings)).map(([name, value]) => `${name}: ${value}`),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    connection.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => connection.destroy());
  };
}

function toAppError(error: NodeJS.ErrnoException): AppError {
  if (error instanceof AppError) return error;
  const cause = { cause: error };
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new AppError('payload_too_large', 'URL and headers together exceed 16 KiB.', cause);
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('request_timeout', 'The request did not arrive in time.', cause);
  return new AppError('malformed_request', 'The request is not valid HTTP.', cause);
}
