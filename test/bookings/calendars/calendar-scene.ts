import assert from 'node:assert/strict';
import { get } from 'node:http';
import type { ApiClient, TestOrg, SharedParley } from '../../support/parley.ts';

export type ParleyUrl = Pick<SharedParley, 'baseUrl' | 'runtime'>;

/** A workspace, with a client that is signed in as its owner, who can connect calendars. */
export interface CalendarOwner extends TestOrg {
  signedIn: ApiClient;
}

export async function buildOwner(parley: SharedParley): Promise<CalendarOwner> {
  const org = await parley.buildOrg();
  return { ...org, signedIn: (await parley.signIn(org)).client };
}

/**
 * Requests a URL of this process as a browser would, without following the redirect. `fetch` would
 * add `Sec-Fetch` headers.
 */
export function visit(
  { baseUrl, runtime }: ParleyUrl,
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = get(url.replace(runtime.settings.baseUrl, baseUrl), { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location ?? '',
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
  });
}

export async function beginConnecting({ signedIn }: CalendarOwner, provider: string) {
  const { body, headers, status } = await signedIn.post(
    `/api/calendar/${provider}/connect` as '/api/calendar/local/connect',
  );
  assert.equal(status, 200, JSON.stringify(body));
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  return { url: body.authorization_url, cookie };
}

/** Connects a Google calendar with consent. Returns the `result` that the console receives. */
export async function connectGoogle(parley: SharedParley, owner: CalendarOwner): Promise<string> {
  const { url, cookie } = await beginConnecting(owner, 'google');
  const { location } = await visit(parley, url);
  return parseConnectResult((await visit(parley, location, { cookie })).location);
}

export function parseConnectResult(location: string): string {
  // Return any other redirect address whole, so that a failed test shows it.
  const [, result = location] = /^\/console#\/bookings\/calendar\?result=(\w+)$/.exec(location) ?? [];
  return result;
}

/** Returns the time `days` days from today, at an hour in UTC. */
export function at(days: number, hour: number, minute = 0): Date {
  const today = new Date();
  return new Date(
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + days, hour, minute),
  );
}

/** Returns the start times of a day’s bookable slots, as HH:MM in UTC. */
export async function listSlotHours({ client }: TestOrg, day: number): Promise<string[]> {
  const range = `from=${at(day, 0).toISOString()}&to=${at(day + 1, 0).toISOString()}`;
  const { body, status } = await client.get(`/api/bookings/slots?${range}` as '/api/bookings/slots');
  assert.equal(status, 200, JSON.stringify(body));
  return body.map(({ start }) => start.slice(11, 16));
}

export const ALL_DAY = {
  timezone: 'UTC',
  weekdays_only: false,
  slot_minutes: 60,
  business_open_hour: 9,
  business_close_hour: 13,
};
