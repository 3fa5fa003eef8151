import { Button } from '@mantine/core';
import { useId, type FunctionComponent } from 'react';
import type { NodeData } from '../graph/flow-draft.ts';
import { capitalize } from '../../components/text/capitalize.ts';
import { listShownFields, tidyData, type ListField } from '../kinds/fields.ts';
import type { FieldInputProps } from './field-input-props.ts';

export interface ListInputProps extends FieldInputProps<ListField> {
  /** Component that renders one field of a list item. */
  input: FunctionComponent<FieldInputProps>;
}

/** Editor in a step's form for a list whose items have fields of their own. */
export function ListInput(props: ListInputProps) {
  const { field, data, pathPrefix, onChange, problems, input: Input } = props;
  const { name, label, noun, max, min = 0, items: fields, make } = field;
  const items = (data[name] ?? []) as NodeData[];
  const id = useId();
  const problem = problems.get(pathPrefix + name);
  const changeList = (changed: NodeData[], subject: string | null = null): void =>
    onChange({ [name]: changed }, subject);
  return (
    <fieldset className="stack flow-group" aria-describedby={problem && id}>
      <legend>{label}</legend>
      {problem !== undefined && (
        <p className="field-problem" id={id}>
          {problem}
        </p>
      )}
      {items.map((item, at) => (
        <div key={at} className="flow-item" role="group" aria-label={`${capitalize(noun)} ${at + 1}`}>
          {listShownFields(fields, item).map((each) => (
            <Input
              key={each.name}
              field={each}
              data={item}
              pathPrefix={`${pathPrefix}${name}[${at}].`}
              problems={problems}
              others={items.toSpliced(at, 1)}
              onChange={(changed, subject = Object.keys(changed).join()) =>
                changeList(
                  items.with(at, tidyData(fields, { ...item, ...changed })),
                  subject && `${name}[${at}].${subject}`,
                )
              }
            />
          ))}
          <div className="row">
            <Button
              variant="default"
              aria-label={`Move ${noun} ${at + 1} up`}
              aria-disabled={at === 0}
              onClick={() => {
                if (at > 0) changeList(items.toSpliced(at, 1).toSpliced(at - 1, 0, item));
              }}
            >
              ↑
            </Button>
            <Button
              variant="default"
              aria-label={`Remove ${noun} ${at + 1}`}
              aria-disabled={items.length <= min}
              onClick={() => {
                if (items.length > min) changeList(items.toSpliced(at, 1));
              }}
            >
              Remove
            </Button>
          </div>
        </div>
      ))}
      <Button
        variant="default"
        aria-disabled={items.length >= max}
        onClick={() => {
          if (items.length < max) changeList([...items, tidyData(fields, make(items))]);
        }}
      >
        Add {/^[aeiou]/.test(noun) ? 'an' : 'a'} {noun}
      </Button>
    </fieldset>
  );
}
