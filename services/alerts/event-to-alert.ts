import type { Opened } from '../../database/sealed-columns.ts';
import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import type { EventAlert } from '../../repositories/alerts/alert-fan-out.sql.ts';
import { alertEvents, findIntensities, isCritical, type AlertEvent } from './alert-events.ts';

/**
 * Names of the id fields in an event's data. The first of these fields that an event has identifies the
 * subject of the event's alert.
 */
const subjectKeys = [
  'booking_id',
  'document_id',
  'webhook_id',
  'connection_id',
  'conversation_id',
  'contact_id',
  'bot_id',
];
const ID = /^[a-z]+_id$/;
/** Events whose alert is about the contact, not the conversation. */
const contactEvents: ReadonlySet<string> = new Set(['lead.captured', 'contact.updated']);

/**
 * Converts an event to an alert, which contains ids only. Null if alerts do not report this kind of event.
 */
export function toAlert({
  name,
  payload,
  createdAt,
}: Pick<Opened<OutboxRow>, 'name' | 'payload' | 'createdAt'>): EventAlert | null {
  if (!isAlertEvent(name)) return null;
  const ids = Object.fromEntries(
    Object.entries(payload).filter(
      (entry): entry is [string, string] => ID.test(entry[0]) && typeof entry[1] === 'string',
    ),
  );
  delete ids['visitor_id'];
  const keys = contactEvents.has(name) ? ['contact_id', ...subjectKeys] : subjectKeys;
  const subjectKey = keys.find((key) => ids[key] !== undefined);
  return {
    ids,
    subject: subjectKey === undefined ? name : `${subjectKey.replace(/_id$/, '')}/${ids[subjectKey]}`,
    severity: isCritical(name) ? 'critical' : 'normal',
    intensities: findIntensities(name),
    occurredAt: createdAt.toISOString(),
  };
}

function isAlertEvent(name: string): name is AlertEvent {
  return alertEvents.some((each) => each === name);
}
