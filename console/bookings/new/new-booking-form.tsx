import { Button } from '@mantine/core';
import { useState } from 'react';
import { isTimeZone } from '../../../core/time-zone.ts';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import type { ApiError } from '../../client/api-error.ts';
import { withQuery } from '../../client/paths.ts';
import type { Booking, BookingRequest } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { goTo, buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { TextArea, TextField } from '../../components/forms/fields.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { ZoneField } from '../../components/zones/zone-field.tsx';
import { getLocalDay } from '../times.ts';
import { SlotChoice } from './slot-choice.tsx';
import { useSlots } from './use-slots.ts';

const FORM = 'bookings/new';
const INLINE_FIELDS = ['start', 'summary', 'attendee_name', 'attendee_email', 'description', 'timezone'];
const EMPTY = { start: '', summary: '', name: '', email: '', description: '', attendeeZone: '' };
type Draft = typeof EMPTY;

export function NewBookingForm({ zone }: { zone: string }) {
  const { client } = useSession();
  const { draft, change, discard, isChanged } = useFormDraft(FORM, EMPTY);
  const today = getLocalDay(Date.now(), zone);
  const free = useSlots(zone, today, draft.start === '' ? today : getLocalDay(draft.start, zone));
  const [startProblem, setStartProblem] = useState<string | undefined>();
  const book = useAction(
    async () => {
      const booked = await client.post<Booking>(
        withQuery('/api/bookings', { timezone: draft.attendeeZone.trim() }),
        toBookingRequest(draft),
      );
      discard();
      goTo(buildHref(['bookings', booked.id]));
      showConfirmation(
        booked.attendee_email === null
          ? 'Booking created'
          : `Booking created. We'll email ${booked.attendee_email}.`,
      );
    },
    ({ code, details }) => {
      const concernsStart = details.some(({ field }) => field === 'start');
      if (code !== 'slot_taken' && !concernsStart) return;
      change({ start: '' });
      free.slots.reload();
    },
  );
  const bookIfComplete = (): void => {
    setStartProblem(draft.start === '' ? 'Choose a time.' : undefined);
    if (draft.start !== '') book.run();
  };
  const attendeeZone = draft.attendeeZone.trim();
  const isTaken = book.problem?.code === 'slot_taken' && draft.start === '';
  return (
    <Form className="columns" onSubmit={bookIfComplete}>
      <SlotChoice
        {...free}
        zone={zone}
        attendeeZone={attendeeZone !== zone && isTimeZone(attendeeZone) ? attendeeZone : null}
        chosen={draft.start}
        problem={isTaken ? TAKEN : (describeFieldProblem(book.problem, 'start', 'The time') ?? startProblem)}
        onChoose={(start) => {
          setStartProblem(undefined);
          change({ start });
        }}
      />
      <Section title="Details">
        <AttendeeFields draft={draft} problem={book.problem} zone={zone} onChange={change} />
        {!isTaken && <ProblemMessage problem={book.problem} inlineFields={INLINE_FIELDS} />}
        <div className="row">
          <SubmitButton isBusy={book.isBusy}>Create booking</SubmitButton>
          {isChanged && (
            <Button variant="default" onClick={discard}>
              Clear
            </Button>
          )}
        </div>
      </Section>
    </Form>
  );
}

const TAKEN = 'This time was just booked. Choose another one; your other entries are kept.';

interface AttendeeFieldsProps {
  draft: Draft;
  problem: ApiError | null;
  zone: string;
  onChange(changed: Partial<Draft>): void;
}

function AttendeeFields({ draft, problem, zone, onChange }: AttendeeFieldsProps) {
  return (
    <>
      <TextField
        label="Subject"
        value={draft.summary}
        onChange={(summary) => onChange({ summary })}
        problem={describeFieldProblem(problem, 'summary', 'The subject')}
        isRequired
        maxLength={500}
      />
      <TextField
        label="Attendee's name"
        value={draft.name}
        onChange={(name) => onChange({ name })}
        problem={describeFieldProblem(problem, 'attendee_name', 'The name')}
        maxLength={255}
      />
      <TextField
        label="Attendee's email"
        type="email"
        value={draft.email}
        onChange={(email) => onChange({ email })}
        hint="We email the confirmation, any changes and a reminder to this address. Leave blank to send no emails."
        problem={describeFieldProblem(problem, 'attendee_email', 'The address')}
        maxLength={320}
      />
      <ZoneField
        label="Attendee's time zone"
        value={draft.attendeeZone}
        onChange={(attendeeZone) => onChange({ attendeeZone })}
        hint={`Used in emails. Default: ${zone}.`}
        problem={describeFieldProblem(problem, 'timezone', 'The time zone')}
      />
      <TextArea
        label="Description"
        value={draft.description}
        onChange={(description) => onChange({ description })}
        problem={describeFieldProblem(problem, 'description', 'The description')}
        maxLength={5000}
      />
    </>
  );
}

function toBookingRequest({ start, summary, name, email, description }: Draft): BookingRequest {
  return {
    start,
    summary: summary.trim(),
    attendee_name: name.trim() || null,
    attendee_email: email.trim() || null,
    description: description.trim() || null,
  };
}
