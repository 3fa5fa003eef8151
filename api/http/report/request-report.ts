import type { Caller } from '../access/principal.ts';
import type { ErrorCode } from '../../../core/errors/error-codes.ts';

/** A request that is over. Nothing in it but ids, names of our own and numbers: it goes into logs. */
export interface RequestReport extends Caller {
  requestId: string;
  traceId?: string;
  operation?: string;
  method?: string;
  /** What was sent; null when the connection was gone before. */
  status: number | null;
  /** From its arrival to the last byte of its response, in tenths. */
  durationMs: number;
  errorCode?: ErrorCode;
  /** The connection went away before the whole response was out. */
  aborted?: true;
}
