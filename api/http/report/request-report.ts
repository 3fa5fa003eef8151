import type { Caller } from '../access/principal.ts';
import type { ErrorCode } from '../../../core/errors/error-codes.ts';

/** A finished request. It only contains ids, names of Parley and numbers, since it goes into logs. */
export interface RequestReport extends Caller {
  requestId: string;
  traceId?: string;
  operation?: string;
  method?: string;
  /** The sent status; null if the connection had closed. */
  status: number | null;
  /** Time from arrival to the last byte of the response, in tenths of a millisecond. */
  durationMs: number;
  errorCode?: ErrorCode;
  /** The connection closed before the whole response was sent. */
  aborted?: true;
}
