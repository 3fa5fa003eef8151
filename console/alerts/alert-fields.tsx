import type { ApiError } from '../client/api-error.ts';
import type { AlertEvent } from '../client/types.ts';
import { Choices } from '../ui/choices.tsx';
import { CheckboxField, TextField } from '../ui/fields.tsx';
import { problemAt, ProblemMessage } from '../ui/problem-message.tsx';
import { RadioChoices } from '../ui/radio-choices.tsx';
import { ZoneField } from '../ui/zone-field.tsx';
import { textOf } from './alert-draft.ts';
import { alertEvents, eventsOf, intensities, listText, type Intensity } from './alert-words.ts';
import type { AlertFieldsProps } from './alert-fields-props.ts';
import { DigestFields } from './digest-fields.tsx';
import { MOST_A_DAY } from './held-text.tsx';

/** Fields that show their own validation errors. */
const told = ['intensity', 'digest', 'digest_hour', 'digest_weekday', 'daily_cap', 'timezone', 'label'];
const labels = { bot_id: 'The bot', destination: 'The destination', events: 'The list of events' };

export function AlertProblem({ problem }: { problem: ApiError | null }) {
  return <ProblemMessage problem={problem} toldBy={told} labels={labels} />;
}

/** Fields for events, summaries and the daily limit. */
export function AlertFields(props: AlertFieldsProps) {
  const { draft, change, problem } = props;
  return (
    <>
      <WhatFields {...props} />
      {draft.intensity !== 'off' && <DigestFields {...props} />}
      <div class="row from-top">
        <TextField
          label="Messages a day at most"
          type="number"
          min={1}
          max={MOST_A_DAY}
          value={draft.cap}
          hint={`What comes after is held for a summary the next day. Empty for ${MOST_A_DAY}.`}
          problem={problemAt(problem, 'daily_cap', 'This')}
          onChange={(cap) => change({ cap })}
        />
        <ZoneField
          label="Time zone"
          value={draft.zone}
          hint="Whose days and hours count, such as Europe/Lisbon. Empty for that of the calendar or the workspace."
          problem={problemAt(problem, 'timezone', 'The time zone')}
          onChange={(zone) => change({ zone })}
        />
      </div>
      <TextField
        label="Label"
        value={draft.label}
        maxLength={120}
        hint="For your team, such as Reception."
        problem={problemAt(problem, 'label', 'The label')}
        onChange={(label) => change({ label })}
      />
    </>
  );
}

function WhatFields({ draft, change, problem }: AlertFieldsProps) {
  const { intensity, hasOwnEvents, events } = draft;
  const choose = (chosen: Intensity): void =>
    change({ intensity: chosen, ...(chosen === 'digest' && draft.digest === 'none' && { digest: 'daily' }) });
  const own = (isOwn: boolean): void =>
    change({
      hasOwnEvents: isOwn,
      ...(isOwn && events === '' && { events: textOf(eventsOf(intensity === 'digest' ? 'all' : intensity)) }),
    });
  return (
    <>
      <RadioChoices
        legend="Sent at once"
        value={intensity}
        choices={Object.entries(intensities).map(([value, title]) => ({
          value: value as Intensity,
          title,
          hint: hasOwnEvents ? undefined : hintOf(value as Intensity),
        }))}
        onChange={choose}
        problem={problemAt(problem, 'intensity', 'This')}
      />
      {intensity !== 'off' && (
        <CheckboxField label="Choose the events one by one" isChecked={hasOwnEvents} onChange={own} />
      )}
      {intensity !== 'off' && hasOwnEvents && (
        <Choices
          legend={events === '' ? 'Events: choose one at least' : 'Events'}
          choices={Object.entries(alertEvents).map(([name, [, title]]) => ({ name, title }))}
          chosen={new Set(events.split(' ').filter(Boolean))}
          onChange={(chosen) => change({ events: textOf(chosen) })}
        />
      )}
    </>
  );
}

/** Lists the events that this intensity adds to the previous one. */
function hintOf(intensity: Intensity): string | undefined {
  const added = Object.keys(alertEvents).filter((name) => alertEvents[name as AlertEvent][0] === intensity);
  return added.length === 0 ? undefined : `${listText(added)}.`;
}
