import type { OutboundClient, OutboundResponse } from '../http/outbound-client.ts';
import { OutboundError } from '../http/outbound-error.ts';
import { CalendarRefused, CalendarUnavailable } from './calendar-provider.ts';

/**
 * Maximum size in bytes of a calendar provider's response: more than a calendar with some thousand events
 * needs.
 */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

export interface ProviderRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect?: 'follow' | 'manual';
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

/**
 * HTTP client for calendar providers, with a guard against internal addresses and limits on time and size.
 */
export interface ProviderHttp {
  outbound: Pick<OutboundClient, 'request'>;
  timeoutMs: number;
}

/**
 * Sends a request to a calendar provider. Returns responses of any status.
 * @throws CalendarRefused
 * @throws CalendarUnavailable
 */
export async function sendToProvider(
  { outbound, timeoutMs }: ProviderHttp,
  { redirect = 'manual', maxBytes = MAX_RESPONSE_BYTES, ...request }: ProviderRequest,
): Promise<OutboundResponse> {
  try {
    return await outbound.request({ ...request, redirect, maxBytes, timeoutMs });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const isRefused =
      error.kind === 'refused' || error.kind === 'too_large' || error.kind === 'too_many_redirects';
    throw isRefused
      ? new CalendarRefused(error.message, { cause: error })
      : new CalendarUnavailable(error.message, { cause: error });
  }
}
