import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type DavAnswer = (res: ServerResponse, req: IncomingMessage) => void;

const HOME = '/home/';
const DAV_CALENDAR = '/home/work/';

/**
 * A fake CalDAV server that lists one calendar. Tests set its response to queries of events (reports), or to
 * all requests.
 */
export class DavServer {
  /** Response to queries (reports) of the calendar's events. */
  report: DavAnswer = buildMultistatus([]);
  /** Response to all requests in place of the default response. */
  override: DavAnswer | undefined;
  requests = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<DavServer> {
    const server = createServer();
    const dav = new DavServer(server);
    server.on('request', (req, res) => dav.#serve(req, res));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return dav;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get homeUrl(): string {
    return this.url + HOME;
  }

  get calendarId(): string {
    return this.url + DAV_CALENDAR;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    this.requests += 1;
    req.resume();
    req.on('end', () => {
      if (this.override) this.override(res, req);
      else if (req.method === 'REPORT') this.report(res, req);
      else listing(res, req);
    });
  }
}

const listing = buildMultistatus([
  `<d:response><d:href>${DAV_CALENDAR}</d:href><d:propstat><d:prop><d:resourcetype><d:collection/><c:calendar/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
]);

export function buildMultistatus(responses: Iterable<string>): DavAnswer {
  return (res) => {
    res.writeHead(207, { 'content-type': 'application/xml; charset=utf-8' });
    res.write('<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">');
    for (const response of responses) res.write(response);
    res.end('</d:multistatus>');
  };
}

/**
 * Builds the element of a CalDAV response that describes one event.
 * @param lines lines of its VEVENT
 */
export function buildDavEvent(name: string, lines: readonly string[], host = ''): string {
  const text = buildEventText(name, lines);
  return `<d:response><d:href>${host}${DAV_CALENDAR}${name}.ics</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag><c:calendar-data>${text}</c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
}

/**
 * Builds an iCalendar text with one event.
 * @param events lines of the event and of its overridden occurrences
 */
export function buildEventText(name: string, ...events: (readonly string[])[]): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    ...events.flatMap((lines) => [
      'BEGIN:VEVENT',
      `UID:${name}`,
      'DTSTAMP:20261101T000000Z',
      ...lines,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

export function buildDavRedirect(location: (url: string) => string): DavAnswer {
  return (res, { url = '' }) => void res.writeHead(302, { location: location(url) }).end();
}

export function buildDavAnswer(status: number, type: string, body: string | Buffer, headers = {}): DavAnswer {
  return (res) => void res.writeHead(status, { 'content-type': type, ...headers }).end(body);
}
