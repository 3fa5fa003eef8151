import type { ApiError } from '../../client/api-error.ts';
import type { CalendarConnection, CalendarDescriptor } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import { Choices } from '../../components/forms/choices.tsx';
import { CheckboxField, SelectField } from '../../components/forms/fields.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import type { SettingsDraft } from './settings-draft.ts';

export interface CalendarChoiceProps {
  draft: SettingsDraft;
  connection: CalendarConnection;
  problem: ApiError | null;
  onChange(changed: Partial<SettingsDraft>): void;
}

/**
 * Fields that select the calendar in which bookings are created, and the calendars and events that block
 * slots for bookings.
 */
export function CalendarChoice({ draft, connection, problem, onChange }: CalendarChoiceProps) {
  const calendars = useApi<CalendarDescriptor[]>('/api/calendar/calendars', { reloadsOnVisit: true });
  const blocking = new Set(draft.calendars.split('\n').filter(Boolean));
  const calendarsProblem = describeFieldProblem(problem, 'calendar_ids', 'The calendars');
  return (
    <LoadedView loaded={calendars}>
      {(listed) => {
        const all = addMissingCalendars(listed, [
          ...connection.calendar_ids,
          ...blocking,
          draft.bookingCalendar,
        ]);
        return (
          <>
            <SelectField
              label="Add bookings to"
              value={draft.bookingCalendar}
              options={all.filter(({ can_write: canWrite }) => canWrite).map(({ id, name }) => [id, name])}
              onChange={(bookingCalendar) => onChange({ bookingCalendar })}
              problem={describeFieldProblem(problem, 'booking_calendar_id', 'The calendar')}
            />
            <Choices
              legend="Check for conflicts"
              choices={all.map(({ id, name, ...rest }) => ({
                name: id,
                title: name,
                description: describeCalendar(rest),
              }))}
              chosen={blocking}
              onChange={(chosen) => onChange({ calendars: [...chosen].toSorted().join('\n') })}
            />
            <p className="hint">Parley always checks the calendar to which it adds bookings.</p>
            <CheckboxField
              label="Treat all-day events as busy"
              isChecked={draft.allDayEventsBlock}
              onChange={(allDayEventsBlock) => onChange({ allDayEventsBlock })}
            />
            <CheckboxField
              label="Treat unanswered invitations as busy"
              isChecked={draft.unansweredInvitationsBlock}
              onChange={(unansweredInvitationsBlock) => onChange({ unansweredInvitationsBlock })}
            />
            {calendarsProblem !== undefined && (
              <p className="field-problem" role="alert">
                {calendarsProblem}
              </p>
            )}
          </>
        );
      }}
    </LoadedView>
  );
}

/** Appends selected calendars that the calendar account no longer has, so that the user can deselect them. */
function addMissingCalendars(
  listed: readonly CalendarDescriptor[],
  ids: readonly string[],
): CalendarDescriptor[] {
  const known = new Set(listed.map(({ id }) => id));
  const missingIds = [...new Set(ids)].filter((id) => id !== '' && !known.has(id));
  return [
    ...listed,
    ...missingIds.map((id) => ({
      id,
      name: `${id} (deleted)`,
      timezone: null,
      is_primary: false,
      can_write: true,
    })),
  ];
}

function describeCalendar({
  timezone,
  is_primary: isPrimary,
  can_write: canWrite,
}: Omit<CalendarDescriptor, 'id' | 'name'>) {
  const words = [isPrimary && 'Main calendar', timezone, !canWrite && 'Read only'];
  return words.filter(Boolean).join(' · ');
}
