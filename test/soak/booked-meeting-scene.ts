import assert from 'node:assert/strict';
import ICAL from 'ical.js';
import type { ParsedMail } from 'mailparser';
import { addDays, firstInstantAt, localTimeAt } from '../../core/local-time.ts';
import type { SmtpPeer } from '../mail/smtp-peer.ts';
import type { Radicale } from '../support/radicale.ts';
import { waitUntil } from '../support/wait-until.ts';

const MINUTE_MS = 60_000;
const ZONES = [
  'Europe/Lisbon',
  'America/New_York',
  'America/Los_Angeles',
  'Pacific/Auckland',
  'Asia/Tokyo',
  'Asia/Kolkata',
];

/**
 * Days in a time zone where it is early afternoon now, so that the next morning has not begun, whenever the
 * test runs.
 */
export class AfternoonDays {
  readonly zone: string;
  readonly #today: string;

  constructor(now = new Date()) {
    const zone = ZONES.find((each) => {
      const { minutes } = localTimeAt(now, each);
      return minutes >= 11 * 60 && minutes < 19 * 60;
    });
    assert.ok(zone);
    this.zone = zone;
    this.#today = localTimeAt(now, zone).date;
  }

  date(days: number): string {
    return addDays(this.#today, days);
  }

  /** @param time local time such as `09:30`, on the day `days` days from today */
  at(days: number, time: string): Date {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return firstInstantAt(this.date(days), hours * 60 + minutes, this.zone);
  }

  /** Formats the day as in British English. */
  format(days: number, options: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: this.zone }).format(
      this.at(days, '12:00'),
    );
  }
}

/** A calendar event as the owner's calendar app shows it. */
export interface SeenEvent {
  uid: string;
  summary: string;
  start: string;
  end: string;
  attendees: number;
}

/** Simulates the owner's calendar app, independently of Parley. */
export class CalendarApp {
  readonly #radicale: Radicale;
  readonly #calendar: string;

  constructor(radicale: Radicale, calendar: string) {
    this.#radicale = radicale;
    this.#calendar = calendar;
  }

  async add(uid: string, start: Date, end: Date): Promise<void> {
    const event = new ICAL.Component('vevent');
    event.addPropertyWithValue('uid', uid);
    event.addPropertyWithValue('dtstamp', toIcalTime(new Date()));
    event.addPropertyWithValue('dtstart', toIcalTime(start));
    event.addPropertyWithValue('dtend', toIcalTime(end));
    const calendar = new ICAL.Component('vcalendar');
    calendar.addPropertyWithValue('version', '2.0');
    calendar.addPropertyWithValue('prodid', '-//Calendar app//EN');
    calendar.addSubcomponent(event);
    await this.#radicale.put(this.#calendar, uid, calendar.toString());
  }

  /** Reads all events of the calendar, ordered by start. */
  async readCalendarEvents(): Promise<SeenEvent[]> {
    const seen = (await this.#readObjects()).map(({ calendar }) => parseIcalEvent(calendar));
    return seen
      .map((event) => ({
        uid: event.uid,
        summary: event.summary,
        start: event.startDate.toJSDate().toISOString(),
        end: event.endDate.toJSDate().toISOString(),
        attendees: event.attendees.length,
      }))
      .toSorted((a, b) => a.start.localeCompare(b.start));
  }

  /** Moves an event to another time, as an owner does by dragging the event. */
  async move(uid: string, start: Date): Promise<void> {
    const found = (await this.#readObjects()).find(({ calendar }) => parseIcalEvent(calendar).uid === uid);
    assert.ok(found, `The calendar has no event ${uid}.`);
    const { calendar, href, etag } = found;
    const event = parseIcalEvent(calendar);
    const { duration } = event;
    event.startDate = toIcalTime(start);
    event.endDate = toIcalTime(new Date(start.getTime() + duration.toSeconds() * 1000));
    const headers = { 'content-type': 'text/calendar; charset=utf-8', 'if-match': etag };
    const { ok } = await this.#radicale.send('PUT', href, calendar.toString(), headers);
    assert.ok(ok);
  }

  async #readObjects(): Promise<{ href: string; etag: string; calendar: ICAL.Component }[]> {
    const listed = await this.#radicale.send('PROPFIND', this.#calendar, undefined, { depth: '1' });
    const names = [...(await listed.text()).matchAll(/<href>([^<]+\.ics)<\/href>/g)].map(([, name]) => name!);
    return Promise.all(
      names.map(async (name) => {
        const href = new URL(name, this.#radicale.url).href;
        const response = await this.#radicale.send('GET', href);
        const calendar = new ICAL.Component(ICAL.parse(await response.text()));
        return { href, etag: response.headers.get('etag')!, calendar };
      }),
    );
  }
}

/** The emails that a mail server has received for one address. */
export class Mailbox {
  readonly #peer: SmtpPeer;
  readonly #address: string;

  constructor(peer: SmtpPeer, address: string) {
    this.#peer = peer;
    this.#address = address;
  }

  get mails(): ParsedMail[] {
    return this.#peer.mails.filter(
      ({ to }) => to && !Array.isArray(to) && to.value.some(({ address }) => address === this.#address),
    );
  }

  /** Waits for a number of emails; returns the last with its parsed calendar file. */
  async waitForLast(count: number) {
    await waitUntil(() => this.mails.length >= count, `email ${count} to ${this.#address}`);
    assert.equal(this.mails.length, count);
    const mail = this.mails[count - 1]!;
    const part = mail.attachments.find(({ contentType }) => contentType === 'text/calendar');
    assert.ok(part);
    const calendar = new ICAL.Component(ICAL.parse(part.content.toString()));
    const event = parseIcalEvent(calendar);
    return {
      mail,
      file: {
        method: calendar.getFirstPropertyValue('method'),
        uid: event.uid,
        sequence: event.sequence,
        start: event.startDate.toJSDate().toISOString(),
        end: event.endDate.toJSDate().toISOString(),
      },
    };
  }
}

export function buildHalfAnHour(start: Date): { start: string; end: string } {
  const end = new Date(start.getTime() + 30 * MINUTE_MS);
  return { start: start.toISOString(), end: end.toISOString() };
}

function parseIcalEvent(calendar: ICAL.Component): ICAL.Event {
  return new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
}

function toIcalTime(at: Date): ICAL.Time {
  return ICAL.Time.fromJSDate(at, true);
}
