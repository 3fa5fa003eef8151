import { useEffect, useId, useRef } from 'preact/hooks';

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
  /** Validation error. The group shows it and gets the focus. */
  problem?: string | undefined;
}

/** Group of radio buttons with explanations. */
export function RadioChoices<V extends string>(props: RadioChoicesProps<V>) {
  const { legend, choices, value, onChange, problem } = props;
  const id = useId();
  const chosen = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (problem !== undefined) chosen.current?.focus();
  }, [problem]);
  return (
    <fieldset class="radios" aria-describedby={problem === undefined ? undefined : `${id}-problem`}>
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <div key={choice.value}>
          <label class="checkbox">
            <input
              ref={choice.value === value ? chosen : null}
              type="radio"
              name={id}
              checked={choice.value === value}
              aria-describedby={choice.hint === undefined ? undefined : `${id}-${choice.value}`}
              onChange={() => onChange(choice.value)}
            />
            {choice.title}
          </label>
          {choice.hint !== undefined && (
            <p class="hint" id={`${id}-${choice.value}`}>
              {choice.hint}
            </p>
          )}
        </div>
      ))}
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}
