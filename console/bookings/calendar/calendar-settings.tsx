import { Button } from '@mantine/core';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import type { CalendarConnection } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useSession } from '../../session/session.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { CalendarChoice } from './calendar-choice.tsx';
import { HourFields } from './hour-fields.tsx';
import { findChangedSettings, toSettingsDraft } from './settings-draft.ts';
import { SlotPreview } from './slot-preview.tsx';

export interface CalendarSettingsProps {
  connection: CalendarConnection | null;
  /** Time zone to suggest while no calendar is connected. */
  zone: string;
  onSaved(connection: CalendarConnection): void;
}

const FORM = 'bookings/calendar';
const INLINE_FIELDS = [
  'slot_minutes',
  'buffer_minutes',
  'business_open_hour',
  'business_close_hour',
  'timezone',
  'booking_calendar_id',
  'calendar_ids',
];

/** Form for the times at which meetings can be booked, with a preview of the slots. */
export function CalendarSettings({ connection, zone, onSaved }: CalendarSettingsProps) {
  const { client } = useSession();
  const { draft, change, markSaved, discard, isChanged } = useFormDraft(
    FORM,
    toSettingsDraft(connection, zone),
  );
  const save = useAction(async () => {
    onSaved(
      await client.patch<CalendarConnection>(
        '/api/calendar/settings',
        findChangedSettings(draft, connection),
      ),
    );
    markSaved(draft);
    showConfirmation('Changes saved');
  });
  return (
    <div className="columns">
      <Section title="Availability">
        <Form onSubmit={() => save.run()}>
          <HourFields draft={draft} problem={save.problem} onChange={change} />
          {connection !== null && connection.provider !== 'local' && (
            <CalendarChoice
              key={connection.id}
              draft={draft}
              connection={connection}
              problem={save.problem}
              onChange={change}
            />
          )}
          <ProblemMessage problem={save.problem} inlineFields={INLINE_FIELDS} />
          <div className="row">
            <SubmitButton isBusy={save.isBusy}>
              {connection === null ? 'Save and use the built-in calendar' : 'Save'}
            </SubmitButton>
            {isChanged && (
              <Button variant="default" onClick={discard}>
                Discard changes
              </Button>
            )}
          </div>
        </Form>
      </Section>
      <SlotPreview draft={draft} connection={connection} />
    </div>
  );
}
