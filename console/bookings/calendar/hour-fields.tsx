import type { ApiError } from '../../client/api-error.ts';
import { CheckboxField, SelectField, TextField } from '../../components/fields.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ZoneField } from '../../components/zone-field.tsx';
import { formatHour } from '../../components/format-hour.ts';
import type { SettingsDraft } from './settings-draft.ts';

export interface HourFieldsProps {
  draft: SettingsDraft;
  problem: ApiError | null;
  onChange(changed: Partial<SettingsDraft>): void;
}

const hours = Array.from({ length: 25 }, (_, hour) => [String(hour), formatHour(hour)] as const);

export function HourFields({ draft, problem, onChange }: HourFieldsProps) {
  return (
    <>
      <CheckboxField
        label="Meetings can be booked"
        isChecked={draft.isActive}
        onChange={(isActive) => onChange({ isActive })}
      />
      <div className="row from-top">
        <TextField
          label="Minutes of a meeting"
          type="number"
          min={5}
          max={480}
          value={draft.slot}
          onChange={(slot) => onChange({ slot })}
          hint="5 to 480; 30 where it is empty."
          problem={describeFieldProblem(problem, 'slot_minutes', 'It')}
        />
        <TextField
          label="Minutes between two"
          type="number"
          min={0}
          max={240}
          value={draft.buffer}
          onChange={(buffer) => onChange({ buffer })}
          hint="0 to 240; none where it is empty."
          problem={describeFieldProblem(problem, 'buffer_minutes', 'It')}
        />
      </div>
      <div className="row from-top">
        <SelectField
          label="The first begins at"
          value={draft.opens}
          options={hours.slice(0, 24)}
          onChange={(opens) => onChange({ opens })}
          problem={describeFieldProblem(problem, 'business_open_hour', 'It')}
        />
        <SelectField
          label="The last has ended by"
          value={draft.closes}
          options={hours.slice(1)}
          onChange={(closes) => onChange({ closes })}
          problem={describeFieldProblem(problem, 'business_close_hour', 'It')}
        />
      </div>
      <CheckboxField
        label="Monday to Friday only"
        isChecked={draft.weekdaysOnly}
        onChange={(weekdaysOnly) => onChange({ weekdaysOnly })}
      />
      <ZoneField
        label="Time zone"
        value={draft.zone}
        onChange={(zone) => onChange({ zone })}
        hint="Of these hours, such as Europe/Lisbon."
        problem={describeFieldProblem(problem, 'timezone', 'The time zone')}
        isRequired
      />
    </>
  );
}
