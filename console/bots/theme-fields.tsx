import { CheckboxField, SelectField, TextField } from '../components/fields.tsx';
import { ColorField } from '../components/color-field.tsx';
import type { DraftBinding } from './bot-fields.tsx';

const sides = [
  ['right', 'At the right edge'],
  ['left', 'At the left edge'],
] as const;

/** Fields for the appearance of the widget. */
export function ThemeFields({ draft, text, choice, change }: DraftBinding) {
  return (
    <>
      <div className="row from-top">
        <ColorField
          label="Colour of the widget"
          hint="As #2563eb; the widget’s own when empty."
          {...text('theme_color')}
        />
        <SelectField
          label="Where the widget opens"
          value={draft.theme_position}
          options={sides}
          onChange={(side) => change({ theme_position: side })}
        />
      </div>
      <CheckboxField label="Its head runs from one colour to another" {...choice('theme_has_gradient')} />
      {draft.theme_has_gradient && (
        <div className="row from-top">
          <ColorField label="From" isRequired {...text('theme_from')} />
          <ColorField label="To" isRequired {...text('theme_to')} />
          <TextField label="Angle" type="number" min={0} max={360} isRequired {...text('theme_angle')} />
        </div>
      )}
    </>
  );
}
