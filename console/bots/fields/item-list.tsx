import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconPlus } from '../../shell/icons.ts';
import { RowTools } from './row-tools.tsx';

export interface ItemListProps<T> {
  items: readonly T[];
  /** Maximum number of list items to show; all by default. */
  shown?: number;
  /** Maximum number of items that the list may have. */
  max: number;
  /** Noun for an item of the list, with a capital letter. */
  noun: string;
  /** Label of the button that adds an item to the list. */
  addLabel: string;
  problem: string | undefined;
  create(): T;
  /** Returns the name that the user has given an item; empty if the item has no name yet. */
  getName(item: T): string;
  onChange(items: readonly T[]): void;
  /** Renders the fields of an item, which are laid out in a row. */
  renderFields(item: T, change: (changed: Partial<T>) => void): ReactNode;
  /** Renders an additional field below the item's other fields, if the item has such a field. */
  renderWideField?(item: T, change: (changed: Partial<T>) => void): ReactNode;
  /** Buttons next to the button that adds an item to the list. */
  children?: ReactNode;
}

/** Editor of a list whose items the user adds, moves and removes. */
export function ItemList<T extends object>(props: ItemListProps<T>) {
  const { items, shown = items.length, max, noun, addLabel, problem, onChange } = props;
  const isFull = items.length >= max;
  return (
    <>
      {items.length > 0 && (
        <div className="item-rows">
          {items.slice(0, shown).map((item, at) => {
            const name = `${noun} ${at + 1}`;
            const change = (changed: Partial<T>): void => onChange(items.with(at, { ...item, ...changed }));
            const wideField = props.renderWideField?.(item, change);
            return (
              <div key={at} className="item-row" role="group" aria-label={name}>
                {props.renderFields(item, change)}
                <RowTools
                  rows={items}
                  at={at}
                  about={props.getName(item) || name.toLowerCase()}
                  onChange={onChange}
                />
                {wideField && <div className="item-row-wide">{wideField}</div>}
              </div>
            );
          })}
        </div>
      )}
      {problem !== undefined && <p className="field-problem">{problem}</p>}
      <div className="button-row">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} />}
          aria-disabled={isFull}
          data-inactive={isFull || undefined}
          onClick={() => {
            if (!isFull) onChange([...items, props.create()]);
          }}
        >
          {addLabel}
        </Button>
        {props.children}
      </div>
    </>
  );
}
