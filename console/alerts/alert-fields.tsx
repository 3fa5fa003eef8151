import type { ApiError } from '../client/api-error.ts';
import type { AlertEvent } from '../client/types.ts';
import { capitalize } from '../components/text/capitalize.ts';
import { Choices } from '../components/forms/choices.tsx';
import { CheckboxField, TextField } from '../components/forms/fields.tsx';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { RadioChoices } from '../components/forms/radio-choices.tsx';
import { ZoneField } from '../components/zones/zone-field.tsx';
import { joinEvents } from './alert-draft.ts';
import {
  alertEvents,
  listImmediateEvents,
  intensities,
  describeEvents,
  type Intensity,
} from './alert-words.ts';
import type { AlertFieldsProps } from './alert-fields-props.ts';
import { DigestFields } from './digest-fields.tsx';
import { MAX_PER_DAY } from './queued-alerts.tsx';

/**
 * Fields of an alert policy that show their own validation errors, so that the form does not repeat the
 * errors.
 */
const inlineFields = [
  'intensity',
  'digest',
  'digest_hour',
  'digest_weekday',
  'daily_cap',
  'timezone',
  'label',
];
const labels = { bot_id: 'The bot', destination: 'The recipient', events: 'The events' };

export function AlertProblem({ problem }: { problem: ApiError | null }) {
  return <ProblemMessage problem={problem} inlineFields={inlineFields} labels={labels} />;
}

/** Fields for the events, the summary and the daily limit of an alert policy. */
export function AlertFields(props: AlertFieldsProps) {
  const { draft, change, problem } = props;
  return (
    <>
      <EventFields {...props} />
      {draft.intensity !== 'off' && <DigestFields {...props} />}
      <div className="field-row">
        <TextField
          label="Daily message limit"
          type="number"
          min={1}
          max={MAX_PER_DAY}
          value={draft.cap}
          hint={`Further alerts are queued for the next summary. Default ${MAX_PER_DAY}.`}
          problem={describeFieldProblem(problem, 'daily_cap', 'This')}
          onChange={(cap) => change({ cap })}
        />
        <ZoneField
          label="Time zone"
          value={draft.zone}
          hint="Defaults to the time zone of the calendar or workspace."
          problem={describeFieldProblem(problem, 'timezone', 'The time zone')}
          onChange={(zone) => change({ zone })}
        />
      </div>
      <TextField
        label="Label"
        value={draft.label}
        maxLength={120}
        placeholder="Reception"
        hint="Only your team sees this label."
        problem={describeFieldProblem(problem, 'label', 'The label')}
        onChange={(label) => change({ label })}
      />
    </>
  );
}

function EventFields({ draft, change, problem }: AlertFieldsProps) {
  const { intensity, hasOwnEvents, events } = draft;
  const chooseIntensity = (chosen: Intensity): void =>
    change({ intensity: chosen, ...(chosen === 'digest' && draft.digest === 'none' && { digest: 'daily' }) });
  const chooseOwnEvents = (isOwn: boolean): void =>
    change({
      hasOwnEvents: isOwn,
      ...(isOwn &&
        events === '' && {
          events: joinEvents(listImmediateEvents(intensity === 'digest' ? 'all' : intensity)),
        }),
    });
  return (
    <>
      <RadioChoices
        legend="Instant alerts"
        value={intensity}
        choices={Object.entries(intensities).map(([value, title]) => ({
          value: value as Intensity,
          title,
          hint: hasOwnEvents ? undefined : describeAddedEvents(value as Intensity),
        }))}
        onChange={chooseIntensity}
        problem={describeFieldProblem(problem, 'intensity', 'This')}
      />
      {intensity !== 'off' && (
        <CheckboxField
          label="Choose events individually"
          isChecked={hasOwnEvents}
          onChange={chooseOwnEvents}
        />
      )}
      {intensity !== 'off' && hasOwnEvents && (
        <Choices
          legend={events === '' ? 'Events (choose at least one)' : 'Events'}
          choices={Object.entries(alertEvents).map(([name, [, title]]) => ({
            name,
            title: capitalize(title),
          }))}
          chosen={new Set(events.split(' ').filter(Boolean))}
          onChange={(chosen) => change({ events: joinEvents(chosen) })}
        />
      )}
    </>
  );
}

/**
 * Describes the events that an alert intensity sends in addition to the events of the next lower intensity.
 */
function describeAddedEvents(intensity: Intensity): string | undefined {
  const added = Object.keys(alertEvents).filter((name) => alertEvents[name as AlertEvent][0] === intensity);
  return added.length === 0 ? undefined : `${describeEvents(added)}.`;
}
