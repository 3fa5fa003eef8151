import { ActionIcon } from '@mantine/core';
import { IconTrash } from '../../shell/icons.ts';
import { IconDown, IconUp } from '../icons.ts';

export interface RowToolsProps<T> {
  rows: readonly T[];
  at: number;
  /** Name of the list row that the buttons affect, for screen readers. */
  about: string;
  onChange(rows: readonly T[]): void;
}

/** Buttons that move or remove a row of a list. */
export function RowTools<T>({ rows, at, about, onChange }: RowToolsProps<T>) {
  const move = (to: number): void => onChange(rows.toSpliced(at, 1).toSpliced(to, 0, rows[at]!));
  return (
    <div className="row-tools">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Move up: ${about}`}
        disabled={at === 0}
        onClick={() => move(at - 1)}
      >
        <IconUp size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Move down: ${about}`}
        disabled={at === rows.length - 1}
        onClick={() => move(at + 1)}
      >
        <IconDown size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Remove ${about}`}
        onClick={() => onChange(rows.toSpliced(at, 1))}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </div>
  );
}
