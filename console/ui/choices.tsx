import { CheckboxField } from './fields.tsx';

export interface ChoicesProps {
  legend: string;
  choices: readonly { name: string; description: string }[];
  chosen: ReadonlySet<string>;
  onChange(chosen: ReadonlySet<string>): void;
}

/** Any number of things to choose. */
export function Choices({ legend, choices, chosen, onChange }: ChoicesProps) {
  const toggle = (name: string): void => {
    const changed = new Set(chosen);
    if (!changed.delete(name)) changed.add(name);
    onChange(changed);
  };
  return (
    <fieldset>
      <legend>{legend}</legend>
      {choices.map(({ name, description }) => (
        <CheckboxField
          key={name}
          label={`${name}: ${description}`}
          isChecked={chosen.has(name)}
          onChange={() => toggle(name)}
        />
      ))}
    </fieldset>
  );
}
