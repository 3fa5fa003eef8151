import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LocalClock } from '../../core/local-clock.ts';
import type { TestSettings } from './test-settings.ts';

export const GOOGLE_CLIENT_ID = 'parley.apps.googleusercontent.com';
const GOOGLE_CLIENT_SECRET = 'GOCSPX-secret';
const SCOPES = ['calendar.events', 'calendar.freebusy', 'calendar.calendarlist.readonly'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
);

type Item = Record<string, unknown> & { id: string; status: string };
interface Answer {
  status: number;
  body?: object;
  headers?: Record<string, string>;
}
export interface GoogleRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
}
/** A response of the fake in place of the correct one, or no response at all. */
export type Fault = Answer | 'hang';

/** Fake of Google’s API for one account: consent, tokens, and calendars that store events. */
export class GoogleCalendarFake {
  readonly requests: GoogleRequest[] = [];
  readonly calendars = new Map<
    string,
    { summary: string; timeZone: string; accessRole: string; events: Map<string, Item> }
  >();
  grantedScopes: string[] = SCOPES;
  /** Reason for which the fake returns an error in place of busy times, by calendar id. */
  readonly busyErrors = new Map<string, string>();
  isRevoked = false;
  expiresInSeconds = 3600;
  #faults: { path: RegExp; fault: Fault; left: number }[] = [];
  readonly #codes = new Map<string, { challenge: string; redirectUri: string }>();
  readonly #accessTokens = new Set<string>();
  readonly #refreshTokens = new Set<string>();
  readonly #server: Server;
  #etag = 0;

  private constructor(server: Server, account: string) {
    this.#server = server;
    this.addCalendar(account, { summary: account, timeZone: 'Europe/Berlin', accessRole: 'owner' });
  }

  static async start(account = 'ada@example.com'): Promise<GoogleCalendarFake> {
    const server = createServer();
    const fake = new GoogleCalendarFake(server, account);
    server.on('request', (req, res) => void fake.#serve(req, res));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get env(): TestSettings {
    return {
      PARLEY_GOOGLE_CLIENT_ID: GOOGLE_CLIENT_ID,
      PARLEY_GOOGLE_CLIENT_SECRET: GOOGLE_CLIENT_SECRET,
      googleAuthUrl: `${this.url}/auth`,
      googleTokenUrl: `${this.url}/token`,
      googleRevokeUrl: `${this.url}/revoke`,
      googleApiUrl: `${this.url}/calendar/v3`,
    };
  }

  addCalendar(id: string, { summary = id, timeZone = 'Europe/Berlin', accessRole = 'owner' } = {}): void {
    this.calendars.set(id, { summary, timeZone, accessRole, events: new Map() });
  }

  /** Creates or changes an event, as the owner does in Google Calendar. */
  putEvent(calendarId: string, item: Record<string, unknown> & { id: string }): void {
    const { events } = this.calendars.get(calendarId)!;
    events.set(item.id, { status: 'confirmed', ...events.get(item.id), ...item, etag: this.#createEtag() });
  }

  /**
   * Applies a fault to the next requests to the fake for a path.
   * @param left number of requests
   */
  fail(path: RegExp, fault: Fault, left = Infinity): void {
    this.#faults.push({ path, fault, left });
  }

  clearFaults(): void {
    this.#faults = [];
  }

  /** Invalidates all access tokens of the fake; refresh tokens stay valid. */
  expireAccess(): void {
    this.#accessTokens.clear();
  }

  /** Revokes Parley's access, as the owner does in the Google account. */
  revokeAccess(): void {
    this.#accessTokens.clear();
    this.#refreshTokens.clear();
  }

  count(path: RegExp, method?: string): number {
    return this.requests.filter((each) => path.test(each.path) && (method ?? each.method) === each.method)
      .length;
  }

  /** Issues tokens of the account without the consent page, to clients other than Parley. */
  issueTokens(): { accessToken: string; refreshToken: string } {
    const [accessToken, refreshToken] = [generateGoogleSecret('ya29.'), generateGoogleSecret('1//')];
    this.#accessTokens.add(accessToken);
    this.#refreshTokens.add(refreshToken);
    return { accessToken, refreshToken };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', this.url);
    const text = await readRequestText(req);
    const isForm = req.headers['content-type']?.includes('urlencoded') ?? false;
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : text === '' ? {} : JSON.parse(text);
    const request = {
      method: req.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body,
    };
    this.requests.push(request);
    const fault = this.#takeFault(request.path);
    if (fault === 'hang') return;
    const { status, body: answer, headers = {} } = fault ?? this.#route(request, req);
    res.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
    res.end(answer === undefined ? undefined : JSON.stringify(answer));
  }

  #takeFault(path: string): Fault | undefined {
    const found = this.#faults.find((each) => each.left > 0 && each.path.test(path));
    if (found) found.left -= 1;
    return found?.fault;
  }

  #route(request: GoogleRequest, { headers }: IncomingMessage): Answer {
    if (request.path === '/auth') return this.#handleConsent(request);
    if (request.path === '/token') return this.#handleToken(request);
    if (request.path === '/revoke') {
      this.isRevoked = true;
      return { status: this.#refreshTokens.delete(String(request.body['token'])) ? 200 : 400, body: {} };
    }
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    if (!this.#accessTokens.has(token)) return buildGoogleError(401, 'authError', 'Invalid Credentials');
    const path = request.path.replace('/calendar/v3', '');
    if (path === '/users/me/calendarList') return this.#listCalendars();
    if (path === '/freeBusy') return this.#handleFreeBusy(request);
    const [, calendarId = '', eventId] = /^\/calendars\/([^/]+)\/events(?:\/([^/]+))?$/.exec(path) ?? [];
    const calendar = this.calendars.get(decodeURIComponent(calendarId));
    if (!calendar) return buildGoogleError(404, 'notFound', 'Not Found');
    return eventId === undefined
      ? this.#handleEvents(calendar, request)
      : this.#handleEvent(calendar.events, decodeURIComponent(eventId), request, headers['if-match']);
  }

  #handleConsent({ query }: GoogleRequest): Answer {
    const code = generateGoogleSecret('4/');
    this.#codes.set(code, { challenge: query['code_challenge']!, redirectUri: query['redirect_uri']! });
    const back = new URL(query['redirect_uri']!);
    const scope = this.grantedScopes.join(' ');
    for (const [name, value] of Object.entries({
      state: query['state']!,
      code,
      scope,
      authuser: '0',
      prompt: 'consent',
    }))
      back.searchParams.set(name, value);
    return { status: 302, headers: { location: back.href } };
  }

  #handleToken({ body }: GoogleRequest): Answer {
    const { client_id: id, client_secret: clientSecret, grant_type: kind } = body;
    if (id !== GOOGLE_CLIENT_ID || clientSecret !== GOOGLE_CLIENT_SECRET)
      return { status: 401, body: { error: 'invalid_client' } };
    const refused = { status: 400, body: { error: 'invalid_grant', error_description: 'Bad Request' } };
    if (kind === 'refresh_token' && !this.#refreshTokens.has(String(body['refresh_token']))) return refused;
    if (kind === 'authorization_code' && !this.#takeCode(body)) return refused;
    const { accessToken, refreshToken } = this.issueTokens();
    if (kind === 'refresh_token') this.#refreshTokens.delete(refreshToken);
    const scope = this.grantedScopes.join(' ');
    const answer = {
      access_token: accessToken,
      expires_in: this.expiresInSeconds,
      token_type: 'Bearer',
      scope,
    };
    return {
      status: 200,
      body: { ...answer, ...(kind === 'authorization_code' && { refresh_token: refreshToken }) },
    };
  }

  #takeCode({ code, code_verifier: verifier, redirect_uri: redirectUri }: GoogleRequest['body']): boolean {
    const known = this.#codes.get(String(code));
    this.#codes.delete(String(code));
    const challenge = createHash('sha256').update(String(verifier)).digest('base64url');
    return known?.challenge === challenge && known.redirectUri === redirectUri;
  }

  #listCalendars(): Answer {
    const items = [...this.calendars].map(([id, { summary, timeZone, accessRole }], index) => ({
      kind: 'calendar#calendarListEntry',
      id,
      summary,
      timeZone,
      accessRole,
      ...(index === 0 && { primary: true }),
    }));
    return { status: 200, body: { kind: 'calendar#calendarList', items } };
  }

  #handleFreeBusy({ body }: GoogleRequest): Answer {
    const { timeMin, timeMax, items } = body as { timeMin: string; timeMax: string; items: { id: string }[] };
    if (items.length > 50) return buildGoogleError(400, 'tooManyCalendarsRequested', 'Too many');
    const calendars = items.map(({ id }) => {
      const reason = this.busyErrors.get(id) ?? (this.calendars.has(id) ? undefined : 'notFound');
      if (reason) return [id, { errors: [{ domain: 'global', reason }], busy: [] }];
      const { events, timeZone } = this.calendars.get(id)!;
      const busy = [...events.values()]
        .filter((item) => item.status !== 'cancelled' && item['transparency'] !== 'transparent')
        .map((item) => ({
          start: toIsoInstant(item['start'], timeZone),
          end: toIsoInstant(item['end'], timeZone),
        }))
        .filter(({ start, end }) => start < timeMax && end > timeMin);
      return [id, { busy }];
    });
    return {
      status: 200,
      body: { kind: 'calendar#freeBusy', timeMin, timeMax, calendars: Object.fromEntries(calendars) },
    };
  }

  #handleEvents(
    { events, timeZone }: { events: Map<string, Item>; timeZone: string },
    { method, query, body }: GoogleRequest,
  ): Answer {
    if (method === 'POST') {
      const id = typeof body['id'] === 'string' ? body['id'] : generateGoogleSecret('').toLowerCase();
      if (events.has(id))
        return buildGoogleError(409, 'duplicate', 'The requested identifier already exists.');
      events.set(id, { ...body, id, status: 'confirmed', etag: this.#createEtag() });
      return { status: 200, body: events.get(id)! };
    }
    const [name, value] = query['privateExtendedProperty']?.split('=') ?? [];
    const items = [...events.values()].filter(
      (item) =>
        (query['showDeleted'] === 'true' || item.status !== 'cancelled') &&
        (query['timeMin'] === undefined || toIsoInstant(item['end'], timeZone) > query['timeMin']) &&
        (query['timeMax'] === undefined || toIsoInstant(item['start'], timeZone) < query['timeMax']) &&
        (name === undefined || readPrivateProperties(item)[name] === value),
    );
    return { status: 200, body: { kind: 'calendar#events', timeZone, items } };
  }

  #handleEvent(
    events: Map<string, Item>,
    id: string,
    { method, body }: GoogleRequest,
    ifMatch?: string,
  ): Answer {
    const item = events.get(id);
    if (!item) return buildGoogleError(404, 'notFound', 'Not Found');
    if (method === 'DELETE') {
      if (item.status === 'cancelled') return buildGoogleError(410, 'deleted', 'Resource has been deleted');
      events.set(id, { ...item, status: 'cancelled' });
      return { status: 204 };
    }
    if (method === 'PATCH') {
      if (ifMatch !== undefined && ifMatch !== item['etag'])
        return buildGoogleError(412, 'conditionNotMet', 'Precondition Failed');
      events.set(id, { ...item, ...body, etag: this.#createEtag() });
    }
    return { status: 200, body: events.get(id)! };
  }

  #createEtag(): string {
    return `"${(this.#etag += 1)}"`;
  }
}

export function buildGoogleError(code: number, reason: string, message: string): Answer {
  return {
    status: code,
    body: { error: { code, message, errors: [{ domain: 'global', reason, message }] } },
  };
}

function readPrivateProperties(item: Item): Record<string, string> {
  return (item['extendedProperties'] as { private?: Record<string, string> } | undefined)?.private ?? {};
}

/** Interprets a date without a time in the calendar's time zone. */
function toIsoInstant(value: unknown, timeZone: string): string {
  const { dateTime, date } = value as { dateTime?: string; date?: string };
  const time = Date.parse(dateTime ?? date ?? '');
  return new Date(
    dateTime === undefined ? new LocalClock(timeZone).findFirstInstant(time) : time,
  ).toISOString();
}

function generateGoogleSecret(prefix: string): string {
  return prefix + randomBytes(18).toString('base64url');
}

async function readRequestText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
