import type { ApiError } from '../../client/api-error.ts';
import { CheckboxField, SelectField, TextField } from '../../components/forms/fields.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ZoneField } from '../../components/zones/zone-field.tsx';
import { formatHour } from '../../components/text/format-hour.ts';
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
        label="Accept bookings"
        isChecked={draft.isActive}
        onChange={(isActive) => onChange({ isActive })}
      />
      <div className="field-row">
        <TextField
          label="Duration"
          type="number"
          min={5}
          max={480}
          value={draft.slot}
          onChange={(slot) => onChange({ slot })}
          hint="5–480 minutes. Default 30."
          problem={describeFieldProblem(problem, 'slot_minutes', 'It')}
        />
        <TextField
          label="Buffer between meetings"
          type="number"
          min={0}
          max={240}
          value={draft.buffer}
          onChange={(buffer) => onChange({ buffer })}
          hint="0–240 minutes. Default 0."
          problem={describeFieldProblem(problem, 'buffer_minutes', 'It')}
        />
      </div>
      <div className="field-row">
        <SelectField
          label="From"
          value={draft.opens}
          options={hours.slice(0, 24)}
          onChange={(opens) => onChange({ opens })}
          problem={describeFieldProblem(problem, 'business_open_hour', 'It')}
        />
        <SelectField
          label="To"
          value={draft.closes}
          options={hours.slice(1)}
          onChange={(closes) => onChange({ closes })}
          problem={describeFieldProblem(problem, 'business_close_hour', 'It')}
        />
      </div>
      <CheckboxField
        label="Weekdays only"
        isChecked={draft.weekdaysOnly}
        onChange={(weekdaysOnly) => onChange({ weekdaysOnly })}
      />
      <ZoneField
        label="Time zone"
        value={draft.zone}
        onChange={(zone) => onChange({ zone })}
        hint="The hours above are in this time zone."
        problem={describeFieldProblem(problem, 'timezone', 'The time zone')}
        isRequired
      />
    </>
  );
}
