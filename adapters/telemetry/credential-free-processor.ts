import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { removeCredentials } from '../../core/errors/describe-error.ts';

/** Exports trace spans in batches. Removes credentials from the spans' error messages, as the log does. */
export class CredentialFreeProcessor extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    if (span.status.message) span.status.message = removeCredentials(span.status.message);
    for (const { attributes = {} } of span.events) {
      for (const [key, value] of Object.entries(attributes)) {
        if (typeof value === 'string') attributes[key] = removeCredentials(value);
      }
    }
    super.onEnd(span);
  }
}
