import type { OutboundResponse } from '../../http/outbound-client.ts';
import { CalendarReconnect, CalendarRefused, CalendarUnavailable } from '../calendar-provider.ts';
import type { ProviderRequest } from '../provider-http.ts';
import { toUnavailableError } from '../unavailability.ts';
import type { ReadingBudget } from './bounded-expansion.ts';
import {
  MultistatusParser,
  UnreadableMultistatus,
  UnsafeMultistatus,
  type DavResponse,
} from './multistatus.ts';

export interface DavLogin {
  username: string;
  password: string;
}

export interface DavRequest {
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: string;
  /** Maximum size of the server's response in bytes; by default 8 MB. */
  maxBytes?: number;
}

export type DavReply = Pick<OutboundResponse, 'status' | 'headers'> & { body: Uint8Array };

/**
 * Sends a request to a CalDAV server through the guarded client, with limits on time and size. Returns
 * responses of any status.
 * @throws CalendarRefused
 * @throws CalendarUnavailable
 */
export type SendToServer = (request: ProviderRequest) => Promise<DavReply>;

const XML_TYPE = 'application/xml; charset=utf-8';
/**
 * Size in bytes of the slices in which the XML of a calendar server is parsed. Each takes a millisecond or
 * two.
 */
const SLICE_BYTES = 16 * 1024;
const LOCKED = 423;
const FULL = 507;

/** WebDAV client for a calendar server that a customer has configured. */
export class DavHttp {
  readonly #authorization: string;
  readonly #sendToServer: SendToServer;

  constructor({ username, password }: DavLogin, sendToServer: SendToServer) {
    this.#authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    this.#sendToServer = sendToServer;
  }

  /**
   * Sends a request to the calendar server. Returns responses with a status up to 499, except 401 and 429,
   * which throw.
   * @throws CalendarRefused
   * @throws CalendarReconnect if the server rejects the credentials
   * @throws CalendarUnavailable
   */
  async send(
    { headers = {}, ...request }: DavRequest,
    redirect: 'follow' | 'manual' = 'follow',
  ): Promise<DavReply> {
    const response = await this.#sendToServer({
      ...request,
      headers: { ...headers, authorization: this.#authorization },
      redirect,
    });
    throwIfRefused(response);
    return response;
  }

  /**
   * Sends a request with an XML body to a calendar server, which should respond with a multistatus.
   * @throws the same errors as `send`
   */
  sendXml(
    { depth, body, ...request }: DavRequest & { body: string; depth: '0' | '1' },
    redirect: 'follow' | 'manual' = 'follow',
  ): Promise<DavReply> {
    const headers = { depth, 'content-type': XML_TYPE };
    return this.send(
      { ...request, headers, body: `<?xml version="1.0" encoding="utf-8"?>${body}` },
      redirect,
    );
  }
}

/**
 * Returns whether a server's response may be a multistatus, judging by its status and type. The body may
 * still have another format.
 */
export function mayBeMultistatus({ status, headers, body }: DavReply): boolean {
  return status < 300 && /xml/i.test(headers['content-type'] ?? '') && body.length > 0;
}

/**
 * Parses a server's multistatus in turns of the calendar account. Yields its responses one by one.
 * @throws CalendarRefused if the XML exceeds the parser's limits
 * @throws UnreadableMultistatus; the errors of `ReadingBudget` if reading takes too long
 */
export async function* readMultistatus(
  { status, body }: DavReply,
  budget: ReadingBudget,
): AsyncGenerator<DavResponse> {
  const parser = new MultistatusParser(status);
  const decoder = new TextDecoder();
  try {
    for (let from = 0; from < body.length; from += SLICE_BYTES) {
      await budget.waitForTurn();
      const startedAt = performance.now();
      const slice = body.subarray(from, from + SLICE_BYTES);
      const responses = parser.write(decoder.decode(slice, { stream: true }));
      budget.spend(performance.now() - startedAt);
      yield* responses;
    }
    yield* parser.write(decoder.decode());
    yield* parser.end();
  } catch (error) {
    if (!(error instanceof UnsafeMultistatus)) throw error;
    throw new CalendarRefused('The calendar server’s response is too large or unsafe to read.', {
      cause: error,
    });
  }
}

/**
 * Returns all responses of a short multistatus; an empty list if the server's reply is something else.
 * @throws CalendarRefused
 * @throws CalendarUnavailable
 */
export async function listResponses(reply: DavReply, budget: ReadingBudget): Promise<DavResponse[]> {
  if (!mayBeMultistatus(reply)) return [];
  const responses: DavResponse[] = [];
  try {
    for await (const response of readMultistatus(reply, budget)) responses.push(response);
  } catch (error) {
    if (!(error instanceof UnreadableMultistatus)) throw error;
    return [];
  }
  return responses;
}

/**
 * Throws the matching error if the response of a calendar server is a failure.
 * @throws CalendarReconnect
 * @throws CalendarRefused
 * @throws CalendarUnavailable
 */
function throwIfRefused(response: DavReply): void {
  const { status, headers, body } = response;
  if (status === 401)
    throw new CalendarReconnect(
      'The calendar server no longer accepts the user name and password; connect the calendar again.',
    );
  if (status === FULL) throw new CalendarRefused('The calendar server is out of storage.');
  const unavailableError = toUnavailableError(response, 'The calendar server');
  if (unavailableError) throw unavailableError;
  if (status === LOCKED) throw new CalendarUnavailable('The calendar server has locked the event.');
  // Refuse HTML, with which the login page of a Wi-Fi network responds to every URL. Accept empty HTML, since
  // some servers send it.
  const isPage = body.length > 0 && /html/i.test(headers['content-type'] ?? '');
  if (status < 300 && isPage)
    throw new CalendarUnavailable('The URL of the calendar server leads to a web page, not to a calendar.');
}
