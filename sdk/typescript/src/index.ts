// oxlint-disable-next-line import/no-default-export -- `import Parley from 'parley-sdk'` works, too
export { Parley, Parley as default } from './client.ts';
export type { CallOptions, ClientOptions, Fetch } from './options.ts';
export type { ApiPromise, WithResponse } from './api-promise.ts';
export type { ListPage, Page, PagePromise } from './pages.ts';
export type { EventStream } from './event-stream.ts';
export type {
  StreamEventOf,
  UnknownEventName,
  UnknownStreamEvent,
  UnknownWebhookEvent,
} from './stream-event.ts';
export type { Upload } from './uploads.ts';
export type { WaitOptions } from './wait-for-document.ts';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  DocumentFailedError,
  InvalidArgumentError,
  KeyUnavailableError,
  MissingCredentialError,
  NotFoundError,
  ParleyError,
  PayloadTooLargeError,
  PermissionError,
  PreconditionFailedError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  StreamInterruptedError,
  TimeoutError,
  ValidationError,
  WebhookVerificationError,
  type ProblemDetail,
} from './errors.ts';
export { verifyWebhook, type ReceivedHeaders, type VerifyOptions } from './webhooks.ts';
export { API_VERSION, SDK_VERSION } from './generated/version.ts';
export type * from './generated/models.ts';
export type * from './generated/resources.ts';
