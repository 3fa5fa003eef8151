import { SelectField } from '../components/forms/fields.tsx';
import { describeFieldProblem } from '../client/describe-problem.ts';
import type { AlertFieldsProps } from './alert-fields-props.ts';
import { formatHour } from '../components/text/format-hour.ts';
import { weekdays } from './alert-words.ts';

const digests = [
  ['none', 'None'],
  ['daily', 'Daily'],
  ['weekly', 'Weekly'],
] as const;

const hours = Array.from({ length: 24 }, (_hour, hour) => [String(hour), formatHour(hour)] as const);
const days = weekdays.map((name, day) => [String(day), name] as const);

/** Fields for the schedule on which an alert policy sends summaries. */
export function DigestFields({ draft, change, problem }: AlertFieldsProps) {
  const { intensity, digest } = draft;
  const isNeeded = intensity === 'digest';
  return (
    <div className="field-row">
      <SelectField
        label="Summary"
        value={digest}
        options={digests.filter(([value]) => !isNeeded || value !== 'none')}
        problem={describeFieldProblem(problem, 'digest', 'This')}
        onChange={(chosen) => change({ digest: chosen })}
      />
      {digest === 'weekly' && (
        <SelectField
          label="On"
          value={draft.weekday}
          options={days}
          problem={describeFieldProblem(problem, 'digest_weekday', 'The day')}
          onChange={(weekday) => change({ weekday })}
        />
      )}
      <SelectField
        label={digest === 'none' ? 'Send queued alerts at' : 'At'}
        value={draft.hour}
        options={hours}
        problem={describeFieldProblem(problem, 'digest_hour', 'The hour')}
        onChange={(hour) => change({ hour })}
      />
    </div>
  );
}
