import type { Caller } from '../access/principal.ts';
import type { ErrorCode } from '../../../core/errors/error-codes.ts';

/** A request that is over. Nothing in it but ids, names of our own and numbers: it goes into logs. */
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
  /** The connection went away before the whole response was out. */
  aborted?: true;
}
