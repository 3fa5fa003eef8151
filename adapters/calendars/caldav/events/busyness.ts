import type { BlockingKinds } from '../../calendar-provider.ts';
import { findProperty, listProperties, readParameter, readValue, type IcsComponent } from './ics-text.ts';

/** Rules that decide which events make the owner of a calendar busy. */
export interface BusyRules extends Partial<BlockingKinds> {
  /** Email addresses of the calendar's owner, in lower case, as invitations name them. */
  addresses: readonly string[];
}

/**
 * Returns whether an event makes the calendar's owner busy.
 * @param isAllDay true if the event has dates without a time of day
 * @param method METHOD of the calendar object
 */
export function isOpaque(
  component: IcsComponent,
  isAllDay: boolean,
  method: string,
  { addresses, doAllDayEventsBlock = true, doUnansweredInvitationsBlock = true }: BusyRules,
): boolean {
  const readUpperCase = (name: string) => readValue(component, name).toUpperCase();
  if (readUpperCase('STATUS') === 'CANCELLED' || method === 'CANCEL') return false;
  if (readUpperCase('TRANSP') === 'TRANSPARENT') return false;
  if (readUpperCase('X-MICROSOFT-CDO-BUSYSTATUS') === 'FREE') return false;
  const isWholeDay = isAllDay || readUpperCase('X-MICROSOFT-CDO-ALLDAYEVENT') === 'TRUE';
  if (isWholeDay && !doAllDayEventsBlock) return false;
  const answers = listAnswers(component, addresses);
  if (answers.length === 0) return true;
  const isUnanswered = answers.every((answer) => answer === 'NEEDS-ACTION' || answer === 'DECLINED');
  if (answers.every((answer) => answer === 'DECLINED')) return false;
  return doUnansweredInvitationsBlock || !isUnanswered || isOrganizer(component, addresses);
}

/** Lists the owner's answers to an invitation: one for each address that is invited. */
function listAnswers(component: IcsComponent, addresses: readonly string[]): string[] {
  return listProperties(component, 'ATTENDEE')
    .filter((attendee) => listAddresses(attendee).some((address) => addresses.includes(address)))
    .map((attendee) => readParameter(attendee, 'PARTSTAT')?.toUpperCase() || 'NEEDS-ACTION');
}

function isOrganizer(component: IcsComponent, addresses: readonly string[]): boolean {
  const organizer = findProperty(component, 'ORGANIZER');
  return organizer !== undefined && listAddresses(organizer).some((address) => addresses.includes(address));
}

/**
 * Returns the email addresses of an event's organizer or invited person. Some servers write the address into
 * the parameter EMAIL, and an id into the value.
 */
function listAddresses(person: { parameters: string; value: string; name: string }): string[] {
  return [person.value, readParameter(person, 'EMAIL') ?? ''].map((address) =>
    address
      .trim()
      .toLowerCase()
      .replace(/^mailto:\s*/, ''),
  );
}
