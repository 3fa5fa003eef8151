import { errors } from 'undici';

export type OutboundErrorKind =
  | 'refused'
  | 'timeout'
  | 'dns_not_found'
  | 'dns_timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'tls'
  | 'too_large'
  | 'too_many_redirects'
  | 'invalid_response'
  | 'aborted';

const transientKinds: ReadonlySet<OutboundErrorKind> = new Set<OutboundErrorKind>([
  'timeout',
  'dns_timeout',
  'connection_refused',
  'connection_reset',
]);

/**
 * Thrown if an outbound request got no usable response. The message is for people, without internal details.
 */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundError';
    this.kind = kind;
  }

  /** True if the same outbound request may succeed later. */
  get isTransient(): boolean {
    return transientKinds.has(this.kind);
  }
}

const certificateProblems: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'was issued for another host name',
};

/**
 * Error codes of `node:net`, `node:tls`, `node:zlib` and undici, with the kind and message of the
 * OutboundError that reports them. The first match counts.
 */
const codeKinds: [RegExp, OutboundErrorKind, (host: string, code: string) => string][] = [
  [
    /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/,
    'timeout',
    (host) => `${host} did not respond in time.`,
  ],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/,
    'connection_refused',
    (host) =>
      `No connection to ${host} could be made. Check its address and port, and that the server is running.`,
  ],
  [
    /^(ERR_(TLS|SSL)_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_(CA|PURPOSE)|PATH_LENGTH_|HOSTNAME_|EPROTO$)/,
    'tls',
    (host, code) => {
      const problem = certificateProblems[code];
      return problem
        ? `The certificate of ${host} ${problem}.`
        : `No secure connection to ${host} could be made.`;
    },
  ],
  [
    /^(HPE_|Z_|ERR__ERROR_|UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH))/,
    'invalid_response',
    (host) => `The response from ${host} could not be read.`,
  ],
  [/^UND_ERR_(DESTROYED|CLOSED|ABORT|ABORTED)$/, 'aborted', () => 'The request was canceled.'],
  [
    /^UND_ERR_(INVALID_ARG|REQ_CONTENT_LENGTH_MISMATCH|NOT_SUPPORTED)$/,
    'refused',
    () => 'The request has a header or method that cannot be sent.',
  ],
];

function findErrorCode(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof errors.HTTPParserError ? 'HPE_INVALID' : undefined;
}

/**
 * Converts a network error to an OutboundError. Returns errors without a code unchanged, since they are not
 * network errors.
 */
export function toOutboundError(error: unknown, host: string): unknown {
  if (error instanceof OutboundError || !(error instanceof Error)) return error;
  const code = findErrorCode(error);
  if (code === undefined) return error;
  for (const [pattern, kind, message] of codeKinds) {
    if (pattern.test(code)) return new OutboundError(kind, message(host, code), { cause: error });
  }
  return new OutboundError(
    'connection_reset',
    `${host} closed the connection before its response was complete.`,
    {
      cause: error,
    },
  );
}
