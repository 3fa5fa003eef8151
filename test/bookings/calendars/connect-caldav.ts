import assert from 'node:assert/strict';
import type { SharedParley } from '../../support/parley.ts';
import { DAV_PASSWORD, DAV_USER } from '../../support/radicale.ts';
import {
  beginConnecting,
  buildOwner,
  parseConnectResult,
  visit,
  type CalendarOwner,
} from './calendar-scene.ts';

/** Connects a calendar account by submitting the CalDAV form. Returns the `result` that the console receives. */
export async function connectCalDav(
  parley: SharedParley,
  owner: CalendarOwner,
  server: string,
): Promise<string> {
  const { url, cookie } = await beginConnecting(owner, 'caldav');
  const { search } = new URL(url);
  const response = await fetch(`${parley.baseUrl}/calendar/caldav${search}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ server, username: DAV_USER, password: DAV_PASSWORD }).toString(),
  });
  assert.equal(response.status, 303, await response.text());
  const { location } = await visit(parley, `${parley.baseUrl}${response.headers.get('location')}`, {
    cookie,
  });
  return parseConnectResult(location);
}

/** Builds a workspace with a connected CalDAV calendar, open for bookings around the clock in slots of an hour. */
export async function buildDavOwner(parley: SharedParley, server: string, settings: object = {}) {
  const owner = await buildOwner(parley);
  assert.equal(await connectCalDav(parley, owner, server), 'connected');
  const { status, body } = await owner.client.patch('/api/calendar/settings', {
    timezone: 'UTC',
    weekdays_only: false,
    slot_minutes: 60,
    business_open_hour: 0,
    business_close_hour: 24,
    ...settings,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return owner;
}
