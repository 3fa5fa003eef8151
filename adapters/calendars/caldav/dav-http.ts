import type { OutboundResponse } from '../../http/outbound-client.ts';
import { CalendarReconnect, CalendarRefused, CalendarUnavailable } from '../calendar-provider.ts';
import { askProvider, unavailability, type ProviderHttp } from '../provider-http.ts';

export interface DavLogin {
  username: string;
  password: string;
}

export interface DavRequest {
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Elements of a response at most: a calendar has a few for each of its events. */
const MOST_TAGS = 200_000;
const BAD_XML = /<!(DOCTYPE|ENTITY)/i;
const LOCKED = 423;
const FULL = 507;

/** Speaks WebDAV to a server that somebody has named: guarded, bounded, and with nothing in its XML that grows. */
export class DavHttp {
  readonly #authorization: string;
  readonly #http: ProviderHttp;
  readonly #signal: AbortSignal | undefined;
  /** Why the server could not be asked, which those who use `fetch` may not pass on. */
  failure: Error | undefined;

  constructor({ username, password }: DavLogin, http: ProviderHttp, signal?: AbortSignal) {
    this.#authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    this.#http = http;
    this.#signal = signal;
  }

  /** Statuses up to 499 but 401 and 429 are responses. @throws CalendarRefused, CalendarReconnect, CalendarUnavailable */
  async send(
    { url, method, headers = {}, body }: DavRequest,
    redirect: 'follow' | 'manual' = 'follow',
  ): Promise<OutboundResponse> {
    try {
      const response = await askProvider(this.#http, {
        url,
        method,
        headers: { ...lowerCase(headers), authorization: this.#authorization },
        ...(body !== undefined && { body }),
        redirect,
        signal: this.#signal,
      });
      this.#refuse(response);
      return response;
    } catch (error) {
      this.failure = error as Error;
      throw error;
    }
  }

  /** For tsdav. */
  readonly fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers, body, redirect } = init;
    const {
      status,
      headers: received,
      body: bytes,
    } = await this.send(
      {
        url: url instanceof Request ? url.url : String(url),
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === 'string' && { body }),
      },
      redirect === 'manual' ? 'manual' : 'follow',
    );
    const text = bytes.toString('utf8');
    if (/xml/i.test(received['content-type'] ?? '')) this.#refuseXml(text);
    const hasBody = status !== 204 && status !== 205 && status !== 304 && text !== '';
    const { 'content-encoding': _encoding, 'content-length': _length, ...kept } = received;
    return new Response(hasBody ? text : null, { status, headers: kept });
  };

  #refuse(response: OutboundResponse): void {
    if (response.status === 401)
      throw new CalendarReconnect(
        'The calendar server does not accept the user name and password any more; connect it again.',
      );
    if (response.status === FULL) throw new CalendarRefused('The calendar server has no room left.');
    const away = unavailability(response, 'The calendar server');
    if (away) throw away;
    if (response.status === LOCKED)
      throw new CalendarUnavailable('The calendar server has locked the event.');
    // Networks respond so to whatever they are asked; some servers call an empty response HTML.
    const isPage = response.body.length > 0 && /html/i.test(response.headers['content-type'] ?? '');
    if (response.status < 300 && isPage)
      throw new CalendarUnavailable('In place of the calendar server a web page responds.');
  }

  #refuseXml(text: string): void {
    if (!BAD_XML.test(text) && text.split('<', MOST_TAGS + 1).length <= MOST_TAGS) return;
    this.failure = new CalendarRefused('The calendar server’s answer is not one that can be read safely.');
    throw this.failure;
  }
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
