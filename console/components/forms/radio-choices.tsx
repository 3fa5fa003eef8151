import { Radio, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';

interface RadioChoice<V extends string> {
  value: V;
  title: string;
  /** Explanation below the label of an option. */
  hint?: string | undefined;
}

export interface RadioChoicesProps<V extends string> {
  legend: string;
  choices: readonly RadioChoice<NoInfer<V>>[];
  value: V;
  onChange(value: NoInfer<V>): void;
  /**
   * Validation error about the selected option. The group of radio buttons shows this error and gets the
   * focus.
   */
  problem?: string | undefined;
}

/** Group of radio buttons with explanations. */
export function RadioChoices<V extends string>(props: RadioChoicesProps<V>) {
  const { legend, choices, value, onChange, problem } = props;
  const chosenInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (problem !== undefined) chosenInput.current?.focus();
  }, [problem]);
  return (
    <Radio.Group label={legend} value={value} error={problem} onChange={(next) => onChange(next as V)}>
      <Stack gap="xs" mt="xs">
        {choices.map((choice) => (
          <Radio
            key={choice.value}
            ref={choice.value === value ? chosenInput : null}
            value={choice.value}
            label={choice.title}
            description={choice.hint}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
