const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing accepts connections there',
  ConnectionRefused: 'nothing accepts connections there',
  ECONNRESET: 'the server closed the connection',
  UND_ERR_SOCKET: 'the server closed the connection',
  ENOTFOUND: 'the host name could not be resolved',
  EAI_AGAIN: 'DNS did not respond',
  EHOSTUNREACH: 'the network has no route to the host',
  ENETUNREACH: 'the network has no route to the host',
  ETIMEDOUT: 'the host did not respond',
  UND_ERR_CONNECT_TIMEOUT: 'the host did not respond',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS there, so write http://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS there, so write http://',
};
const TLS_CODE = /CERT|SIGNATURE|SSL|TLS|^EPROTO$/;
/**
 * Matches error codes for TLS certificates whose authority Node.js does not trust, such as a company's own.
 */
const UNTRUSTED_CODE = /SELF_SIGNED|^UNABLE_TO_(GET_ISSUER|VERIFY)/;
const TRUST_ADVICE =
  '. To trust the certificate authority, set NODE_EXTRA_CA_CERTS to the file with its certificate';

interface Cause {
  message?: unknown;
  code?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/**
 * Describes why no connection to the server was made, with the platform's error code if the error has one.
 */
export function describeConnectionCause(error: unknown): string | undefined {
  const chain = listCauses(error);
  const { code, message } = chain.find((cause) => typeof cause.code === 'string') ?? chain[0] ?? {};
  const text = typeof message === 'string' && message !== '' ? message : undefined;
  if (typeof code !== 'string') return text;
  const words = CAUSES[code] ?? (TLS_CODE.test(code) ? `TLS failed: ${text ?? ''}` : (text ?? ''));
  const description = words.includes(code) ? words : `${words.trim()} (${code})`.trim();
  return UNTRUSTED_CODE.test(code) ? description + TRUST_ADVICE : description;
}

/** Returns an error and its causes, innermost first. */
function listCauses(error: unknown): readonly Cause[] {
  const chain: Cause[] = [];
  for (let next = error; typeof next === 'object' && next !== null && chain.length < 10;) {
    const cause: Cause = next;
    chain.unshift(cause);
    // If a host name has several addresses, each failed attempt to connect has its own error.
    next = cause.cause ?? (Array.isArray(cause.errors) ? (cause.errors[0] as unknown) : undefined);
  }
  return chain;
}
