/**
 * All error codes of the API, each with its HTTP status, title, and description for its page under /errors.
 */
export const errorCodes = {
  malformed_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    help: 'Send the whole request as RFC 9112 describes; a body must have as many bytes as its Content-Length says.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    help: 'Send one well-formed JSON document in UTF-8, nested at most 64 levels deep.',
  },
  unsupported_version: {
    status: 400,
    title: 'The API version does not exist',
    help: 'Send one of the versions that GET /api/meta/versions lists, or omit the X-API-Version header.',
  },
  unauthenticated: {
    status: 401,
    title: 'No valid credentials',
    help: 'Send "Authorization: Bearer <token>" with an API key that is neither revoked nor expired, or with the access token of a sign-in that has not ended.',
  },
  quota_exceeded: {
    status: 402,
    title: 'The quota is used up',
    help: 'A limit is reached: a limit of the plan, a limit for workspaces without a plan, or the bot’s limit of messages per month. The message says which one. Delete what you do not need, raise the cap, or wait for the next month. An owner of the paying workspace can also choose a larger plan or buy a top-up of messages.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    help: 'The key lacks the scope, the person lacks the role, the operation requires a signed-in person, or the resource belongs to another workspace.',
  },
  fresh_proof_required: {
    status: 403,
    title: 'Sign in again first',
    help: 'Operations that grant or revoke lasting access or export content require a sign-in within the last ten minutes; a refreshed token does not count. Sign in again by password, emailed code or identity provider, with the second factor if it is enabled. Then repeat the request with the new access token.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    help: 'Check the path and the id. A deleted resource gives the same response.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not support this method',
    help: 'Use one of the methods that the Allow header lists.',
  },
  not_acceptable: {
    status: 406,
    title: 'No representation matches the Accept header',
    help: 'Accept one of the media types that are documented for the operation.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    help: 'Send the request again over a faster connection.',
  },
  conflict: {
    status: 409,
    title: 'The current state does not allow this',
    help: 'Read the resource again and decide what to do in its current state.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this key is still running',
    help: 'Wait as long as Retry-After says and send the same request again; the API then returns the original response.',
  },
  handoff_disabled: {
    status: 409,
    title: 'The bot offers no human handoff',
    help: 'Switch handoff_enabled on in the bot’s configuration.',
  },
  last_owner: {
    status: 409,
    title: 'The workspace needs an owner',
    help: 'Make another member an owner first.',
  },
  last_sign_in_method: {
    status: 409,
    title: 'This is the only way to sign in to the account',
    help: 'Set a password or link another identity provider first.',
  },
  slot_taken: {
    status: 409,
    title: 'This slot has just been booked',
    help: 'List the free slots again and choose another one.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed',
    help: 'Read the resource again, apply your change to it, and send it with the new ETag in If-Match; a weak ETag never matches.',
  },
  payload_too_large: {
    status: 413,
    title: 'The request is too large',
    help: 'Keep to the documented size; split the content or send a smaller file.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The content type is not supported',
    help: 'Send the content type that the operation documents; the type of a file is detected from its content, not from its name.',
  },
  validation_error: {
    status: 422,
    title: 'The request is not valid',
    help: 'Each entry of "details" names a field and says why it was refused.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    help: 'Use a new key for each action; reuse a key only to repeat exactly the same request.',
  },
  hierarchy_too_deep: {
    status: 422,
    title: 'The workspace hierarchy would be too deep',
    help: 'Create the client workspace at a higher level.',
  },
  url_refused: {
    status: 422,
    title: 'The URL may not be contacted',
    help: 'Use a public address without credentials and on an ordinary port; private, loopback and link-local addresses are refused unless PARLEY_OUTBOUND_ALLOW names them.',
  },
  key_unavailable: {
    status: 423,
    title: 'The workspace’s encryption key is unavailable',
    help: 'Restore access to the key, then repeat the request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'Wait as long as Retry-After says. RateLimit-Remaining shows how many requests are left.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    help: 'Try again. If the error persists, report the request_id.',
  },
  not_ready: {
    status: 503,
    title: 'The service is not ready',
    help: 'A required part of the service does not respond; try again in a moment.',
  },
} as const;

export type ErrorCode = keyof typeof errorCodes;
