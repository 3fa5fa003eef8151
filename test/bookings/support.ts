import assert from 'node:assert/strict';
import type { Clock } from '../../core/clock.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import type { ApiClient, TestOrg, SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';

/** A clock that stands still at a set time. */
export class SetClock implements Clock {
  constructor(public at: string) {}

  now(): Date {
    return new Date(this.at);
  }
}

export async function openCalendar(client: ApiClient, settings: object = {}): Promise<void> {
  const { status, body } = await client.patch('/api/calendar/settings', settings);
  assert.equal(status, 200, JSON.stringify(body));
}

/** Saves calendar settings that validation would refuse: a meeting is longer than the opening hours of a day. */
export async function saveTooLongMeetings({ database }: SharedParley, orgId: string): Promise<void> {
  await database
    .repository(CalendarConnection)
    .update({ orgId }, { settings: { slotMinutes: 480, businessCloseHour: 16 } });
}

/** Builds a workspace that accepts bookings. */
export async function buildBookable(parley: SharedParley, settings: object = {}): Promise<TestOrg> {
  const org = await parley.buildOrg();
  await openCalendar(org.client, settings);
  return org;
}

/** Builds an active bot in a workspace that accepts bookings. */
export async function buildBookableBot(parley: SharedParley, settings: object = {}) {
  const built = await buildActiveBot(parley);
  await openCalendar(built.client, settings);
  const visit = async () => {
    const { body, status } = await parley
      .client()
      .post(`/api/public/bots/${built.bot.public_key}/sessions`, {});
    assert.equal(status, 201);
    const visitor = parley.client(body.visitor_token);
    const book = (request: object, headers: Record<string, string> = {}, query = '') =>
      visitor.post(`/api/public/sessions/${body.session_id}/bookings${query}`, request, headers);
    return {
      visitor,
      sessionId: body.session_id,
      path: `/api/public/sessions/${body.session_id}` as const,
      book,
    };
  };
  return { ...built, visit };
}

/** Returns the start times of bookable slots in local time. */
export async function listLocalStarts(client: ApiClient, query: Record<string, string>): Promise<string[]> {
  const { status, body } = await client.get(`/api/bookings/slots?${new URLSearchParams(query).toString()}`);
  assert.equal(status, 200, JSON.stringify(body));
  return (body as { local_start: string }[]).map(({ local_start: start }) => start);
}

/** Returns a response’s validation messages by field. */
export function readFieldErrors({ body }: { body: unknown }): Record<string, string> {
  const { details = [] } = body as { details?: { field: string; message: string }[] };
  return Object.fromEntries(details.map(({ field, message }) => [field, message]));
}
