import type { Opened } from '../../database/sealed-columns.ts';
import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import type { AlertOfEvent } from '../../repositories/alerts/alert-fan-out.sql.ts';
import { alertEvents, intensitiesOf, isCritical, type AlertEvent } from './alert-events.ts';

/** What an event is about: the first of these ids that it has. */
const subjects = [
  'booking_id',
  'document_id',
  'webhook_id',
  'connection_id',
  'conversation_id',
  'contact_id',
  'bot_id',
];
const ID = /^[a-z]+_id$/;
/** What is about a person, not about the conversation. */
const ofContacts: ReadonlySet<string> = new Set(['lead.captured', 'contact.updated']);

/** What alerts take over of an event: ids alone. Null for what none tells of. */
export function alertOf({
  name,
  payload,
  createdAt,
}: Pick<Opened<OutboxRow>, 'name' | 'payload' | 'createdAt'>): AlertOfEvent | null {
  if (!isAlertEvent(name)) return null;
  const ids = Object.fromEntries(
    Object.entries(payload).filter(
      (entry): entry is [string, string] => ID.test(entry[0]) && typeof entry[1] === 'string',
    ),
  );
  delete ids['visitor_id'];
  const order = ofContacts.has(name) ? ['contact_id', ...subjects] : subjects;
  const about = order.find((key) => ids[key] !== undefined);
  return {
    ids,
    subject: about === undefined ? name : `${about.replace(/_id$/, '')}/${ids[about]}`,
    severity: isCritical(name) ? 'critical' : 'normal',
    intensities: intensitiesOf(name),
    occurredAt: createdAt.toISOString(),
  };
}

function isAlertEvent(name: string): name is AlertEvent {
  return alertEvents.some((each) => each === name);
}
