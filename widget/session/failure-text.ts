import { fill, type Texts } from '../texts.ts';
import { ApiError } from './api-client.ts';
import { ConnectionLostError } from './connection.ts';

/** Describes an error of the API or the connection for the visitor. */
export function describeFailure(error: unknown, texts: Texts): string {
  if (error instanceof ConnectionLostError) return texts.notSent;
  if (!(error instanceof ApiError)) return navigator.onLine ? texts.failed : texts.notOnline;
  switch (error.code) {
    case 'quota_exceeded':
      return texts.quota;
    case 'rate_limited':
      return describeWait(error.retryAfterSeconds, texts);
    case 'conflict':
    case 'not_found':
    case 'forbidden':
    case 'key_unavailable':
      return texts.botOff;
    case 'handoff_disabled':
      return texts.handoffDisabled;
    case 'validation_error':
    case 'payload_too_large':
      return texts.refused;
    default:
      return texts.failed;
  }
}

function describeWait(seconds: number, texts: Texts): string {
  return seconds < 100
    ? fill(texts.rateLimited, { seconds })
    : fill(texts.rateLimitedLong, { minutes: Math.ceil(seconds / 60) });
}
