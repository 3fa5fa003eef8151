import type { Caller } from '../access/principal.ts';
import type { ErrorCode } from '../../../core/errors/error-codes.ts';

/**
 * Facts about a finished request, for logs and metrics. Contains only ids, names defined by Parley, and
 * numbers.
 */
export interface RequestReport extends Caller {
  requestId: string;
  traceId?: string;
  operation?: string;
  method?: string;
  /** HTTP status that was sent; null if the connection closed before. */
  status: number | null;
  /** Milliseconds from arrival to the last byte of the response, with one decimal. */
  durationMs: number;
  errorCode?: ErrorCode;
  /**
   * Subject of the request's error: names of wrong fields, the missing scope or role, or the exceeded limit.
   */
  errorSubject?: string;
  /** True if the connection closed before the server had sent the whole response. */
  aborted?: true;
}
