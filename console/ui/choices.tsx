import { CheckboxField } from './fields.tsx';

interface Choice {
  name: string;
  /** Label of the option; by default its name. */
  title?: string;
  description?: string;
}

export interface ChoicesProps {
  legend: string;
  choices: readonly Choice[];
  chosen: ReadonlySet<string>;
  onChange(chosen: ReadonlySet<string>): void;
}

/** Group of checkboxes, of which the user may select several. */
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
