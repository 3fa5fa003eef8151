import assert from 'node:assert/strict';
import { ReadingBudget } from '../../../adapters/calendars/caldav/bounded-expansion.ts';
import { discoverAccount } from '../../../adapters/calendars/caldav/discover.ts';
import type { SendToServer } from '../../../adapters/calendars/caldav/dav-http.ts';
import { DavHttp } from '../../../adapters/calendars/caldav/dav-http.ts';
import { listCalDavCalendars } from '../../../adapters/calendars/caldav/list-calendars.ts';

const HOST = 'https://dav.example.com';
const LOGIN = { username: 'ada', password: 'secret' };
const PAGE = { status: 200, type: 'text/html', body: '<html><body>Sign in</body></html>' };

interface Answer {
  status: number;
  type?: string;
  body?: string;
  location?: string;
}
const buildBudget = (): ReadingBudget => new ReadingBudget('payer');

/** Responses of a CalDAV server by method and path; 404 for all other requests. */
type Routes = Record<string, Answer>;

const redirectTo = (location: string): Answer => ({ status: 301, location });

/** Builds the WebDAV response (207 Multi-Status) about one or several resources, each with its properties. */
function buildAnswer(...resources: [href: string, props: string][]): Answer {
  const responses = resources.map(
    ([href, props]) =>
      `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
  );
  const body = `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${responses.join('')}</d:multistatus>`;
  return { status: 207, type: 'application/xml', body };
}

const FOLDER = '<d:resourcetype><d:collection/></d:resourcetype>';
const CALENDAR = '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>';
const principal = (href: string) =>
  `<d:current-user-principal><d:href>${href}</d:href></d:current-user-principal>`;
const home = (...hrefs: string[]) =>
  `<c:calendar-home-set>${hrefs.map((href) => `<d:href>${href}</d:href>`).join('')}</c:calendar-home-set>`;

/** Creates a CalDAV server whose redirects are followed as by Parley's guarded HTTP client. */
function createServer(routes: Routes): { send: SendToServer; requests: string[] } {
  const requests: string[] = [];
  const send: SendToServer = async ({ url, method, redirect = 'follow' }) => {
    const { origin, pathname } = new URL(url);
    const route = `${method} ${origin === HOST ? '' : origin}${pathname}`;
    requests.push(route);
    const { status, type = 'text/plain', body = '', location } = routes[route] ?? { status: 404 };
    if (location !== undefined && redirect === 'follow')
      return send({ url: new URL(location, url).href, method, headers: {}, redirect });
    const headers = { 'content-type': type, ...(location !== undefined && { location }) };
    return { status, headers, body: Buffer.from(body) };
  };
  return { send, requests };
}

/** Discovers the calendar account on a server, and returns the paths of its home and its calendars. */
async function discover(routes: Routes, serverUrl = HOST): Promise<string[]> {
  const { send } = createServer(routes);
  const { homeUrl } = await discoverAccount({ ...LOGIN, serverUrl }, send, buildBudget());
  const calendars = await listCalDavCalendars(new DavHttp(LOGIN, send), homeUrl, buildBudget());
  return [homeUrl, ...calendars.map(({ id }) => id)].map((url) => url.replace(HOST, ''));
}

const PRINCIPAL: Routes = {
  'PROPFIND /dav/': buildAnswer(['/dav/', principal('/dav/ada/')]),
  'PROPFIND /dav/ada/': buildAnswer(['/dav/ada/', home('/dav/ada/home/')]),
  'PROPFIND /dav/ada/home/': buildAnswer(['/dav/ada/home/', FOLDER], ['/dav/ada/home/work/', CALENDAR]),
};
const FOUND = ['/dav/ada/home/', '/dav/ada/home/work/'];
const WELL_KNOWN = '/.well-known/caldav';

describe('discoverAccount', () => {
  const cases: [what: string, routes: Routes, serverUrl: string, expected: string[]][] = [
    [
      'by the redirect of the well-known URL',
      { ...PRINCIPAL, [`PROPFIND ${WELL_KNOWN}`]: redirectTo('/dav/') },
      HOST,
      FOUND,
    ],
    [
      'by several redirects',
      {
        ...PRINCIPAL,
        [`PROPFIND ${WELL_KNOWN}`]: redirectTo('/a'),
        'PROPFIND /a': redirectTo('/b'),
        'PROPFIND /b': redirectTo('/dav/'),
      },
      HOST,
      FOUND,
    ],
    [
      'if the well-known URL redirects to a web page',
      { ...PRINCIPAL, [`PROPFIND ${WELL_KNOWN}`]: redirectTo('/login'), 'PROPFIND /login': PAGE },
      `${HOST}/dav/`,
      FOUND,
    ],
    [
      'if only GET redirects to the calendars, and PROPFIND to a web page',
      {
        ...PRINCIPAL,
        [`PROPFIND ${WELL_KNOWN}`]: redirectTo('/login'),
        [`GET ${WELL_KNOWN}`]: redirectTo('/dav/'),
        'PROPFIND /login': PAGE,
        'PROPFIND /': PAGE,
      },
      HOST,
      FOUND,
    ],
    [
      'if the well-known URL is a web page',
      { ...PRINCIPAL, [`PROPFIND ${WELL_KNOWN}`]: PAGE, [`GET ${WELL_KNOWN}`]: PAGE },
      `${HOST}/dav/`,
      FOUND,
    ],
    [
      'if the well-known URL returns the principal itself',
      { ...PRINCIPAL, [`PROPFIND ${WELL_KNOWN}`]: buildAnswer([WELL_KNOWN, principal('/dav/ada/')]) },
      HOST,
      FOUND,
    ],
    ['without a slash at the end of the typed URL', PRINCIPAL, `${HOST}/dav`, FOUND],
    [
      'if the server returns 404 for the typed URL with its final slash',
      { ...PRINCIPAL, 'PROPFIND /dav': PRINCIPAL['PROPFIND /dav/']!, 'PROPFIND /dav/': { status: 404 } },
      `${HOST}/dav/`,
      FOUND,
    ],
    [
      'if principal and home have no slash at the end',
      {
        ...PRINCIPAL,
        'PROPFIND /dav/': buildAnswer(['/dav/', principal('/dav/ada')]),
        'PROPFIND /dav/ada/': buildAnswer(['/dav/ada/', home('/dav/ada/home')]),
      },
      `${HOST}/dav/`,
      FOUND,
    ],
    [
      'if the server redirects the home to one with a slash',
      {
        ...PRINCIPAL,
        'PROPFIND /dav/ada/': buildAnswer(['/dav/ada/', home('/dav/ada/home')]),
        'PROPFIND /dav/ada/home': redirectTo('/dav/ada/home/'),
      },
      `${HOST}/dav/`,
      ['/dav/ada/home', '/dav/ada/home/work/'],
    ],
    [
      'if the home is the root',
      {
        'PROPFIND /': buildAnswer(['/', principal('/ada/') + home('/') + FOLDER], ['/work/', CALENDAR]),
        'PROPFIND /ada/': buildAnswer(['/ada/', home('/')]),
      },
      HOST,
      ['/', '/work/'],
    ],
    [
      'in a folder of the root',
      {
        'PROPFIND /': buildAnswer(['/', principal('/ada/') + FOLDER], ['/ada/', FOLDER]),
        'PROPFIND /ada/': buildAnswer(['/ada/', home('/') + FOLDER], ['/ada/work/', CALENDAR]),
      },
      HOST,
      ['/ada/', '/ada/work/'],
    ],
    [
      'at the principal if the home is a web page',
      {
        [`PROPFIND ${WELL_KNOWN}`]: redirectTo('/dav/'),
        'PROPFIND /': PAGE,
        'PROPFIND /dav/': buildAnswer(['/dav/', principal('/dav/ada/')]),
        'PROPFIND /dav/ada/': buildAnswer(['/dav/ada/', home('/') + FOLDER], ['/dav/ada/work/', CALENDAR]),
      },
      HOST,
      ['/dav/ada/', '/dav/ada/work/'],
    ],
    [
      'in the second of two homes',
      { ...PRINCIPAL, 'PROPFIND /dav/ada/': buildAnswer(['/dav/ada/', home('/gone/', '/dav/ada/home/')]) },
      `${HOST}/dav/`,
      FOUND,
    ],
    [
      'at the typed URL without a principal',
      { 'PROPFIND /cal/': buildAnswer(['/cal/', FOLDER], ['/cal/work/', CALENDAR]) },
      `${HOST}/cal/`,
      ['/cal/', '/cal/work/'],
    ],
    [
      'by relative URLs',
      {
        ...PRINCIPAL,
        'PROPFIND /dav/ada/': buildAnswer(['./', home('home/')]),
        'PROPFIND /dav/ada/home/': buildAnswer(['./', FOLDER], ['work/', CALENDAR]),
      },
      `${HOST}/dav/`,
      FOUND,
    ],
    [
      'if a proxy returns its own URLs with http',
      {
        ...PRINCIPAL,
        [`PROPFIND ${WELL_KNOWN}`]: redirectTo('http://dav.example.com/dav/'),
        'PROPFIND /dav/': buildAnswer(['/dav/', principal('http://dav.example.com/dav/ada/')]),
        'PROPFIND /dav/ada/': buildAnswer(['/dav/ada/', home('http://dav.example.com/dav/ada/home/')]),
      },
      HOST,
      FOUND,
    ],
  ];
  for (const [what, routes, serverUrl, expected] of cases)
    it(`finds the calendars ${what}`, async () =>
      assert.deepEqual(await discover(routes, serverUrl), expected));

  it('returns the home that the principal names if it contains no calendars', async () => {
    const routes = { ...PRINCIPAL, 'PROPFIND /dav/ada/home/': buildAnswer(['/dav/ada/home/', FOLDER]) };
    assert.deepEqual(await discover(routes, `${HOST}/dav/`), ['/dav/ada/home/']);
  });

  it('throws CalendarReconnect after three requests if the server returns 401', async () => {
    const denied = { status: 401 };
    const { send, requests } = createServer({
      [`PROPFIND ${WELL_KNOWN}`]: denied,
      'PROPFIND /dav/': denied,
      'PROPFIND /': PAGE,
    });
    await assert.rejects(discoverAccount({ ...LOGIN, serverUrl: `${HOST}/dav/` }, send, buildBudget()), {
      name: 'CalendarReconnect',
    });
    assert.deepEqual(requests, [`PROPFIND ${WELL_KNOWN}`, 'PROPFIND /dav/', 'PROPFIND /']);
  });

  it('throws an error that mentions the web page if the URL of the server returns a web page', async () => {
    const routes = {
      [`PROPFIND ${WELL_KNOWN}`]: redirectTo('/login'),
      'PROPFIND /login': PAGE,
      'PROPFIND /': PAGE,
    };
    await assert.rejects(
      discover(routes),
      /The URL of the calendar server leads to a web page, not to a calendar/,
    );
  });

  it('returns the time zone that a calendar names', async () => {
    const zones = [
      ['<c:calendar-timezone-id>Asia/Tokyo</c:calendar-timezone-id>', 'Asia/Tokyo'],
      [
        '<c:calendar-timezone>BEGIN:VTIMEZONE\nTZID:W. Europe Standard Time\n</c:calendar-timezone>',
        'Europe/Berlin',
      ],
      [
        '<c:calendar-timezone>TZID:/mozilla.org/20050126_1/Europe/Lisbon</c:calendar-timezone>',
        'Europe/Lisbon',
      ],
      ['<c:calendar-timezone>TZID:Custom\nX-LIC-LOCATION:Asia/Dubai</c:calendar-timezone>', 'Asia/Dubai'],
      ['<c:calendar-timezone>TZID:Custom</c:calendar-timezone>', null],
    ] as const;
    const answer = buildAnswer(
      ...zones.map(([props], index): [string, string] => [`/${index}/`, CALENDAR + props]),
    );
    const { send } = createServer({ 'PROPFIND /': answer });
    const calendars = await listCalDavCalendars(new DavHttp(LOGIN, send), `${HOST}/`, buildBudget());
    assert.deepEqual(
      calendars.map(({ timezone }) => timezone),
      zones.map(([, name]) => name),
    );
  });
});
