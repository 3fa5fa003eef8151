import assert from 'node:assert/strict';
import { ReadingBudget } from '../../../adapters/calendars/caldav/bounded-expansion.ts';
import { CalDavObjects } from '../../../adapters/calendars/caldav/caldav-objects.ts';
import { DavHttp } from '../../../adapters/calendars/caldav/dav-http.ts';

describe('CalDavObjects', () => {
  it('sends the password only to the calendar’s host, whatever URLs the server gives its events', async () => {
    const requests: string[] = [];
    const hrefs = [
      '//evil.example/1.ics',
      'https://evil.example//evil.example/2.ics',
      '/\\evil.example/3.ics',
    ];
    const responses = hrefs.map(
      (href) => `<response><href>${href}</href><propstat><prop><calendar-data/></prop></propstat></response>`,
    );
    const dav = new DavHttp({ username: 'ada', password: 'secret' }, async ({ url, method }) => {
      requests.push(`${method} ${url}`);
      const isReport = method === 'REPORT';
      const headers: Record<string, string> = { 'content-type': 'application/xml' };
      const body = Buffer.from(isReport ? `<multistatus>${responses.join('')}</multistatus>` : '');
      return { status: isReport ? 207 : 404, headers, body };
    });
    const objects = new CalDavObjects(dav, 'https://dav.example.com/work/', new ReadingBudget('payer'));
    const range = { start: new Date('2026-12-01T00:00:00Z'), end: new Date('2026-12-31T00:00:00Z') };
    const found = await objects.listWithin(range);
    if (found !== 'unsupported') for await (const { href } of found) requests.push(href);
    assert.deepEqual(requests, [
      'REPORT https://dav.example.com/work/',
      'GET https://dav.example.com/1.ics',
      'GET https://dav.example.com//evil.example/2.ics',
      'GET https://dav.example.com/3.ics',
    ]);
  });
});
