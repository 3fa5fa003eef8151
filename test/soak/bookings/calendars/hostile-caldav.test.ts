import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { listBusyIntervals, ReadingBudget } from '../../../../adapters/calendars/caldav/bounded-expansion.ts';
import { CalDavCalendar, discoverCalDav } from '../../../../adapters/calendars/caldav/caldav-calendar.ts';
import { createZone } from '../../../../adapters/calendars/caldav/zones/zones.ts';
import type { CalendarBusy, EventProblem } from '../../../../adapters/calendars/calendar-provider.ts';
import { OutboundClient } from '../../../../adapters/http/outbound-client.ts';
import {
  buildDavAnswer,
  buildDavEvent,
  DavServer,
  buildEventText,
  buildMultistatus,
  buildDavRedirect,
  type DavAnswer,
} from '../../../support/dav-server.ts';
import { drip } from '../../../support/drip.ts';
import { assertLoopBlockedBelow } from '../../../support/loop-meter.ts';
import { waitUntil } from '../../../support/wait-until.ts';

const WITHIN = { start: new Date('2026-12-01T00:00:00Z'), end: new Date('2026-12-31T00:00:00Z') };
/** Timeout in milliseconds for calendar servers that never complete a response. */
const TIMEOUT_MS = 600;
/** Timeout in milliseconds for all other calendar servers, long enough for a busy machine. */
const PATIENT_MS = 20_000;
const XML = 'application/xml; charset=utf-8';
/** Milliseconds after which a caller of `listWidgetSlots` stops waiting for a calendar. */
const SLOT_DEADLINE_MS = 3000;
const LARGE = 9 * 1024 * 1024;
const BOMB = `<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "${'x'.repeat(1000)}">]><d:multistatus xmlns:d="DAV:">${'&a;'.repeat(1000)}</d:multistatus>`;

/** Longest time in milliseconds that reading a calendar may block the event loop. */
const MAX_HELD_MS = 50;

function buildXml(content: string, attributes = ''): string {
  return `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"${attributes}>${content}</d:multistatus>`;
}

function nestElements(levels: number, open: (level: number) => string): string {
  return Array.from({ length: levels }, (_, level) => open(level)).join('') + '</a>'.repeat(levels);
}

function calendarWithTimeZone(timezone: string): string {
  return `<d:response><d:href>/home/work/</d:href><d:propstat><d:prop><d:resourcetype><c:calendar/></d:resourcetype><c:calendar-timezone>${timezone}</c:calendar-timezone></d:prop></d:propstat></d:response>`;
}

const respondSlowly: DavAnswer = (res) =>
  drip(res.socket!, `HTTP/1.1 207 Multi-Status\r\ncontent-type: ${XML}\r\n\r\n<a>`, 'x');
const respondNever: DavAnswer = () => {};

describe('a hostile or broken CalDAV server', () => {
  let server: DavServer;
  const outbound = new OutboundClient({
    allow: ['127.0.0.0/8'],
    requireHttpsUnlessAllowed: true,
    userAgent: 'Test',
  });
  const http = { outbound, timeoutMs: PATIENT_MS };
  beforeEach(async () => (server = await DavServer.start()));
  afterEach(() => server.stop());
  after(() => outbound.close());

  async function readBusyFrom(report: DavAnswer, timeoutMs = PATIENT_MS): Promise<CalendarBusy> {
    server.report = report;
    const login = { username: 'ada', password: 'secret', homeUrl: server.homeUrl, addresses: [] };
    const account = new CalDavCalendar(login, { outbound, timeoutMs });
    const [busy] = await account.readBusy([server.calendarId], WITHIN);
    return busy!;
  }

  const cases: [name: string, answer: DavAnswer, error: string, message: RegExp][] = [
    ['never responds', respondNever, 'CalendarUnavailable', /No complete response arrived within/],
    ['responds byte by byte', respondSlowly, 'CalendarUnavailable', /No complete response arrived within/],
    ['redirects endlessly', buildDavRedirect((url) => `${url}x`), 'CalendarRefused', /redirects more than/],
    [
      'redirects to a private address',
      buildDavRedirect(() => 'http://10.0.0.1/'),
      'CalendarRefused',
      /not a host on the public internet/,
    ],
    [
      'sends a huge body',
      buildDavAnswer(207, XML, Buffer.alloc(LARGE, 120)),
      'CalendarRefused',
      /exceeds the limit of (8 MB|2 MB|256 KB)/,
    ],
    [
      'sends a small body that expands hugely',
      buildDavAnswer(207, XML, gzipSync(Buffer.alloc(LARGE, 120)), { 'content-encoding': 'gzip' }),
      'CalendarRefused',
      /exceeds the limit of (8 MB|2 MB|256 KB)/,
    ],
    ['sends an XML bomb', buildDavAnswer(207, XML, BOMB), 'CalendarRefused', /unsafe to read/],
    [
      'sends too many elements',
      buildMultistatus(['<d:a/>'.repeat(150_000)]),
      'CalendarRefused',
      /unsafe to read|exceeds the limit of (2 MB|256 KB)/,
    ],
  ];

  for (const [name, hostile, error, message] of cases)
    it(`that ${name} is refused within its timeout`, async () => {
      const timeoutMs = error === 'CalendarUnavailable' ? TIMEOUT_MS : PATIENT_MS;
      server.override = hostile;
      const login = { serverUrl: server.url, username: 'ada', password: 'secret' };
      const began = performance.now();
      await assert.rejects(discoverCalDav(login, { outbound, timeoutMs }), (thrown: Error) => {
        assert.match(thrown.message, message);
        assert.equal(thrown.name, error);
        return true;
      });
      assert.ok(performance.now() - began < PATIENT_MS);
      server.override = undefined;
      const busy = await readBusyFrom(hostile, timeoutMs);
      assert.ok('error' in busy, JSON.stringify(busy));
      assert.equal(busy.error.name, error);
      assert.match(busy.error.message, message);
    });

  const crowded: [name: string, content: string, outcome: string][] = [
    ['line breaks', '\r\n'.repeat(3_700_000), 'read'],
    ['short lines', 'A:\r\n'.repeat(1_900_000), 'read'],
    ['carriage returns as references', '&#13;'.repeat(1_500_000), 'CalendarRefused'],
  ];
  for (const [name, content, outcome] of crowded)
    it(`does not end the thread that serves all accounts with events of millions of ${name}`, async () => {
      const data = `<c:calendar-data>BEGIN:VCALENDAR\r\n${content}\r\nEND:VCALENDAR</c:calendar-data>`;
      const propstat = `<d:propstat><d:prop>${data}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>`;
      const event = `<d:response><d:href>/home/work/a.ics</d:href>${propstat}</d:response>`;
      const reads = Array.from({ length: 3 }, () => readBusyFrom(buildMultistatus([event])));
      const outcomes = (await Promise.all(reads)).map((busy) => ('error' in busy ? busy.error.name : 'read'));
      assert.deepEqual(outcomes, [outcome, outcome, outcome]);
    });

  it('is read if a line break is cut between two parts of a response', async () => {
    const lines = ['DTSTART:20261203T100000Z', 'DURATION:PT30M', `X-NOTE:${'x\r\n '.repeat(20_000)}`];
    const busy = await readBusyFrom(buildMultistatus([buildDavEvent('a', lines)]));
    const start = Date.UTC(2026, 11, 3, 10) / 60_000;
    assert.deepEqual('busy' in busy && busy.busy, [start, start + 30]);
  });

  const hostile: [name: string, answer: DavAnswer][] = [
    [
      'attributes',
      buildDavAnswer(
        207,
        XML,
        buildXml('', Array.from({ length: 560_000 }, (_, at) => ` a${at}=""`).join('')),
      ),
    ],
    ['attributes of 250 KB', buildDavAnswer(207, XML, buildXml('', ' a=""'.repeat(50_000)))],
    ['namespaces', buildDavAnswer(207, XML, buildXml(nestElements(9000, (at) => `<a xmlns:n${at}="u">`)))],
    ['levels', buildDavAnswer(207, XML, buildXml(nestElements(60_000, () => '<a>')))],
    ['elements', buildDavAnswer(207, XML, buildXml('<a/>'.repeat(1_900_000)))],
    [
      'elements of one response',
      buildDavAnswer(207, XML, buildXml(`<d:response>${'<a/>'.repeat(60_000)}</d:response>`)),
    ],
    ['entities', buildDavAnswer(207, XML, buildXml(`<d:response>${'&amp;'.repeat(1_500_000)}</d:response>`))],
    [
      'text of one address',
      buildDavAnswer(
        207,
        XML,
        buildXml(`<d:response><d:href>/${'a'.repeat(7_000_000)}</d:href></d:response>`),
      ),
    ],
    ['comments', buildDavAnswer(207, XML, buildXml('<!---->'.repeat(1_000_000)))],
    ['zones', buildMultistatus([calendarWithTimeZone(`TZID:${' '.repeat(1_000_000)}x`)])],
    [
      'lines of an event',
      buildMultistatus([
        buildDavEvent('a', ['DTSTART:20261203T100000Z', ...Array<string>(1_000_000).fill('X:1')]),
      ]),
    ],
    ['parts of a line', buildMultistatus([buildDavEvent('a', [`X${';a=b'.repeat(1_500_000)}:1`])])],
    ['components', buildMultistatus([buildDavEvent('a', Array<string>(200_000).fill('BEGIN:A\r\nEND:A'))])],
    ['nested components', buildMultistatus([buildDavEvent('a', Array<string>(200_000).fill('BEGIN:A'))])],
    [
      'exceptions',
      buildMultistatus([
        buildDavEvent('a', [
          'DTSTART:20261203T100000Z',
          'RRULE:FREQ=MINUTELY',
          ...Array<string>(100_000).fill('EXDATE:20261203T100000Z'),
        ]),
      ]),
    ],
    [
      'endless rules',
      buildMultistatus(
        Array.from({ length: 20 }, (_, at) =>
          buildDavEvent(`e${at}`, [`DTSTART:19700101T000000Z`, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30']),
        ),
      ),
    ],
    [
      'busy minutes',
      buildMultistatus(
        Array.from({ length: 4 }, (_, at) =>
          buildDavEvent(`e${at}`, [
            `DTSTART:202612${String(1 + at * 7).padStart(2, '0')}T000000Z`,
            'DURATION:PT1M',
            'RRULE:FREQ=MINUTELY;INTERVAL=2;COUNT=5000',
          ]),
        ),
      ),
    ],
  ];
  for (const [name, report] of hostile)
    it(`blocks the event loop for less than ${MAX_HELD_MS} ms with too many ${name}`, async () => {
      const login = { username: 'ada', password: 'secret', homeUrl: server.homeUrl, addresses: [] };
      const account = new CalDavCalendar(login, http);
      const ref = { bookingId: 'e0', eventId: null };
      // Start the worker thread that reads calendars, so that the measurement does not include its start.
      await account.listCalendars();
      await assertLoopBlockedBelow(MAX_HELD_MS, async () => {
        server.report = report;
        server.override = undefined;
        const signal = AbortSignal.timeout(PATIENT_MS);
        const [busy] = await account.readBusy([server.calendarId], WITHIN, { signal });
        assert.ok(
          'error' in busy! || name === 'busy minutes' || busy!.busy.length === 0,
          JSON.stringify(busy),
        );
        await account.readOwnEvents(server.calendarId, [ref], 'org', { signal }).catch(() => {});
        server.override = report;
        await account.listCalendars({ signal }).catch(() => {});
        await discoverCalDav(
          { serverUrl: server.url, username: 'ada', password: 'secret' },
          http,
          signal,
        ).catch(() => {});
      });
    });

  it('does not delay the reading of another payer’s calendars beyond its deadline', async () => {
    const other = await DavServer.start();
    const login = { username: 'ada', password: 'secret', addresses: [] };
    const endless = ['DTSTART:19700101T000000Z', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'];
    server.report = buildMultistatus(Array.from({ length: 60 }, (_, at) => buildDavEvent(`e${at}`, endless)));
    other.report = buildMultistatus([buildDavEvent('a', ['DTSTART:20261203T100000Z', 'DURATION:PT1H'])]);
    const hostile = new AbortController();
    const readCalendar = (payerId: string, { homeUrl, calendarId }: DavServer, signal: AbortSignal) =>
      new CalDavCalendar({ ...login, homeUrl }, http, { payerId }).readBusy([calendarId], WITHIN, { signal });
    const hostileReads = Array.from({ length: 5 }, () => readCalendar('hostile', server, hostile.signal));
    await waitUntil(() => server.requests >= 10, 'the hostile events');
    await sleep(500);
    const [read] = await readCalendar('honest', other, AbortSignal.timeout(SLOT_DEADLINE_MS));
    assert.equal('busy' in read! && read.busy.length, 2);
    hostile.abort();
    for (const { status } of await Promise.allSettled(hostileReads)) assert.equal(status, 'rejected');
    await other.stop();
  });

  it('does not crash the thread that reads other calendars if an address is slow to parse', async () => {
    const other = await DavServer.start();
    const host = '\u0301\u0327'.repeat(60_000);
    const principal = `<d:response><d:href>/</d:href><d:propstat><d:prop><d:current-user-principal><d:href>http://a${host}.example/</d:href></d:current-user-principal></d:prop></d:propstat></d:response>`;
    server.override = buildDavAnswer(207, XML, buildXml(principal));
    other.report = (res) => void setTimeout(() => buildMultistatus([])(res, res.req), 1000);
    const login = { username: 'ada', password: 'secret' };
    const honest = new CalDavCalendar({ ...login, homeUrl: other.homeUrl, addresses: [] }, http);
    const [read] = await Promise.all([
      honest.readBusy([other.calendarId], WITHIN),
      assert.rejects(
        discoverCalDav({ ...login, serverUrl: server.url }, http),
        /unsafe to read|No calendars/,
      ),
    ]);
    assert.deepEqual(read, [{ calendarId: other.calendarId, busy: [] }]);
    await other.stop();
  });

  it('is reported as unreadable, never as free, if its response is invalid', async () => {
    const deep = `<a>${'<b>'.repeat(50_000)}${'</b>'.repeat(50_000)}</a>`;
    const hidden = `<d:response><d:href>/home/work/1.ics</d:href><d:status>HTTP/1.1 403 Forbidden</d:status></d:response>`;
    const cut = `<d:response><d:href>/home/work/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response>`;
    const answers: [string, DavAnswer][] = [
      ['a page', buildDavAnswer(200, 'text/html', '<h1>Sign in</h1>')],
      ['a page of XHTML', buildDavAnswer(200, 'application/xhtml+xml', '<html><body/></html>')],
      ['JSON', buildDavAnswer(207, 'application/json', '[]')],
      ['nothing', buildDavAnswer(200, XML, '')],
      ['half of it', buildDavAnswer(207, XML, '<d:multistatus xmlns:d="DAV:"><d:response>')],
      ['no XML', buildDavAnswer(207, XML, 'BEGIN:VCALENDAR')],
      ['something deep', buildDavAnswer(207, XML, deep)],
      ['an event that it hides', buildMultistatus([hidden])],
      ['a part of its events', buildMultistatus([buildDavEvent('a', ['DTSTART:20261203T100000Z']), cut])],
    ];
    for (const [name, report] of answers) {
      const busy = await readBusyFrom(report);
      assert.ok('error' in busy && busy.error.message !== '', `${name}: ${JSON.stringify(busy)}`);
    }
  });

  it('is read if it uses another host name in its responses', async () => {
    const lines = ['DTSTART:20261203T100000Z', 'DTEND:20261203T110000Z'];
    const busy = await readBusyFrom(buildMultistatus([buildDavEvent('a', lines, 'http://inside.example')]));
    assert.deepEqual('busy' in busy && busy.busy.length, 2);
  });

  it('is read to the end with thousands of events', async () => {
    const events = Array.from({ length: 2000 }, (_, index) => {
      const start = new Date(WITHIN.start.getTime() + (index % 600) * 3_600_000);
      const stamp = start.toISOString().replaceAll(/[-:]|\.\d+/g, '');
      return buildDavEvent(`e${index}`, [`DTSTART:${stamp}`, 'DURATION:PT10M']);
    });
    server.report = buildMultistatus(events);
    const login = { username: 'ada', password: 'secret', homeUrl: server.homeUrl, addresses: [] };
    const [busy] = await new CalDavCalendar(login, http).readBusy([server.calendarId], WITHIN);
    assert.equal('busy' in busy! ? busy.busy.length : busy!.error.message, 2 * 600);
  });

  it('gets one time budget for all of its events', async () => {
    const costly = ['DTSTART:20000101T000000Z', 'RRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO'];
    const texts = Array.from({ length: 200 }, (_, index) => buildEventText(`e${index}`, costly));
    const signal = AbortSignal.timeout(300);
    const within: [number, number] = [WITHIN.start.getTime(), WITHIN.end.getTime()];
    const began = performance.now();
    await assert.rejects(
      listBusyIntervals(
        texts,
        { within, zone: createZone('UTC'), addresses: [] },
        new ReadingBudget('payer', signal),
      ),
    );
    assert.ok(performance.now() - began < PATIENT_MS);
  });

  it('is reported as busy or faulty, never only as free, if its events are absurd', async () => {
    const start = 'DTSTART:20261202T090000Z';
    const absurd = [
      ['DTSTART:19700101T000000Z', 'RRULE:FREQ=SECONDLY'],
      [start, 'RRULE:FREQ=SECONDLY;COUNT=1000000000'],
      [start, 'RRULE:FREQ=DAILY;INTERVAL=0'],
      [start, 'RRULE:FREQ=DAILY;INTERVAL=999999999'],
      [start, 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31'],
      [start, 'RRULE:COUNT=3'],
      [start, 'RRULE:FREQ=FORTNIGHTLY'],
      [start, `RRULE:FREQ=MINUTELY;BYSECOND=${Array.from({ length: 60 }, (_, at) => at).join(',')}`],
      [start, `RDATE:${Array.from({ length: 25_000 }, (_, at) => 20270101 + at).join(',')}`],
      ['DTSTART:20261399T256161Z'],
      [start, 'DTEND:20261340T000000Z'],
      ['DTSTART;TZID=Mars/Olympus:nonsense'],
    ];
    const within: [number, number] = [WITHIN.start.getTime(), WITHIN.end.getTime()];
    for (const lines of absurd) {
      const text = buildEventText('absurd', [...lines, 'DURATION:PT1H']);
      const problems: EventProblem[] = [];
      const onProblem = (problem: EventProblem) => void problems.push(problem);
      const expansion = { within, zone: createZone('UTC'), addresses: [], onProblem };
      const read = await listBusyIntervals([text], expansion, new ReadingBudget('payer'));
      assert.ok(read.length + problems.length > 0, lines.join(' ').slice(0, 80));
    }
  });
});
