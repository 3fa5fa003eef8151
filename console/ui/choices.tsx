import { CheckboxField } from './fields.tsx';

interface Choice {
  name: string;
  /** Label, if the name is not fit for display. */
  title?: string;
  description?: string;
}

export interface ChoicesProps {
  legend: string;
  choices: readonly Choice[];
  chosen: ReadonlySet<string>;
  onChange(chosen: ReadonlySet<string>): void;
}

/** Multiple choice with checkboxes. */
export function Choices({ legend, choices, chosen, onChange }: ChoicesProps) {
  const toggle = (name: string): void => {
    const changed = new Set(chosen);
    if (!changed.delete(name)) changed.add(name);
    onChange(changed);
  };
  return (
    <fieldset>
      <legend>{legend}</legend>
      {choices.map(({ name, title = name, description }) => (
        <CheckboxField
          key={name}
          label={description === undefined ? title : `${title}: ${description}`}
          isChecked={chosen.has(name)}
          onChange={() => toggle(name)}
        />
      ))}
    </fieldset>
  );
}
