import type { EventDescriptor } from '../client/types.ts';
import { CheckboxField } from '../ui/fields.tsx';

export interface EventChoiceProps {
  events: readonly EventDescriptor[];
  refused: ReadonlySet<string>;
  onChange(refused: ReadonlySet<string>): void;
}

export function EventChoice({ events, refused, onChange }: EventChoiceProps) {
  const toggle = (name: string): void => {
    const changed = new Set(refused);
    if (!changed.delete(name)) changed.add(name);
    onChange(changed);
  };
  return (
    <fieldset>
      <legend>Events</legend>
      {events.map(({ name, description }) => (
        <CheckboxField
          key={name}
          label={`${name}: ${description}`}
          isChecked={!refused.has(name)}
          onChange={() => toggle(name)}
        />
      ))}
    </fieldset>
  );
}
