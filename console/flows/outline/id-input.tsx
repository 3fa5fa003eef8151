import { useState } from 'preact/hooks';
import { TextField } from '../../ui/fields.tsx';
import type { FieldInputProps } from './field-input-props.ts';

const ID = /^[\w-]{1,64}$/;

export interface NamedProps {
  label: string;
  id: string;
  hint?: string;
  problem?: string | undefined;
  /** @returns reason why the name is refused; null if it is valid */
  findRefusal(id: string): string | null;
  onRename(id: string): void;
}

/** Edits an id that other data refers to; applies it on Enter or blur. */
export function RenameField({ label, id, hint, problem, findRefusal, onRename }: NamedProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = typed === null || typed === id ? null : (findIdRefusal(typed) ?? findRefusal(typed));
  const rename = (): void => {
    if (typed !== null && typed !== id && wrong === null) onRename(typed);
    setTyped(null);
  };
  return (
    <div
      class="rename"
      onChange={rename}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        if (wrong === null) rename();
      }}
    >
      <TextField
        label={label}
        value={typed ?? id}
        onChange={setTyped}
        hint={wrong ?? hint}
        problem={problem}
        maxLength={64}
      />
    </div>
  );
}

function findIdRefusal(id: string): string | null {
  return ID.test(id) ? null : 'Letters, digits, _ and - alone, at least one.';
}

/** Edits the id of a list item; its port is named after it. */
export function IdInput(props: FieldInputProps) {
  const { field, data, place, onChange, problems, others = [] } = props;
  const { name, label } = field;
  return (
    <RenameField
      label={label}
      id={typeof data[name] === 'string' ? data[name] : ''}
      problem={problems.get(place + name)}
      findRefusal={(id) => (others.some((other) => other[name] === id) ? 'Another one has this id.' : null)}
      onRename={(id) => onChange({ [name]: id })}
    />
  );
}
