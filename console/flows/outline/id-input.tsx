import { useState } from 'react';
import { TextField } from '../../components/forms/fields.tsx';
import type { FieldInputProps } from './field-input-props.ts';

const ID = /^[\w-]{1,64}$/;

export interface RenameFieldProps {
  label: string;
  id: string;
  hint?: string;
  problem?: string | undefined;
  /**
   * Checks a new id.
   * @returns reason why the id is refused; null if the id is valid
   */
  findRefusal(id: string): string | null;
  onRename(id: string): void;
}

/** Input for an id to which other data refers. Applies a change only on Enter, or when it loses the focus. */
export function RenameField({ label, id, hint, problem, findRefusal, onRename }: RenameFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const idProblem = typed === null || typed === id ? null : (findIdRefusal(typed) ?? findRefusal(typed));
  const rename = (): void => {
    if (typed !== null && typed !== id && idProblem === null) onRename(typed);
    setTyped(null);
  };
  return (
    <div
      className="rename"
      onBlur={rename}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        if (idProblem === null) rename();
      }}
    >
      <TextField
        label={label}
        value={typed ?? id}
        onChange={setTyped}
        hint={idProblem ?? hint}
        problem={problem}
        maxLength={64}
      />
    </div>
  );
}

function findIdRefusal(id: string): string | null {
  return ID.test(id) ? null : 'Use only letters, digits, _ and -.';
}

/** Input for the id of a list item, which is part of the id of the item's output of the step. */
export function IdInput(props: FieldInputProps) {
  const { field, data, pathPrefix, onChange, problems, others = [] } = props;
  const { name, label } = field;
  return (
    <RenameField
      label={label}
      id={typeof data[name] === 'string' ? data[name] : ''}
      problem={problems.get(pathPrefix + name)}
      findRefusal={(id) => (others.some((other) => other[name] === id) ? 'This ID is already used.' : null)}
      onRename={(id) => onChange({ [name]: id })}
    />
  );
}
