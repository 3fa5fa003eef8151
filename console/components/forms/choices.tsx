import { Checkbox, Stack } from '@mantine/core';

interface Choice {
  name: string;
  /** Label of the checkbox; by default the name of its option. */
  title?: string;
  description?: string;
}

export interface ChoicesProps {
  legend: string;
  choices: readonly Choice[];
  chosen: ReadonlySet<string>;
  onChange(chosen: ReadonlySet<string>): void;
}

/** Group of checkboxes for selecting any number of options. */
export function Choices({ legend, choices, chosen, onChange }: ChoicesProps) {
  return (
    <Checkbox.Group label={legend} value={[...chosen]} onChange={(names) => onChange(new Set(names))}>
      <Stack gap="xs" mt="xs">
        {choices.map(({ name, title = name, description }) => (
          <Checkbox key={name} value={name} label={title} description={description} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
