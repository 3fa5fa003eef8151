import { createContext, useContext } from 'react';
import { SelectField } from '../../components/forms/fields.tsx';
import type { FieldInputProps } from './field-input-props.ts';

/** Steps of the flow and other flows of the bot, to which a step can jump. */
export interface Targets {
  steps: readonly (readonly [id: string, name: string])[];
  flows: readonly (readonly [id: string, name: string])[];
}

export const TargetsContext = createContext<Targets>({ steps: [], flows: [] });

/** Select field for the step or flow to which a step jumps. */
export function TargetInput({ field: { label }, data, onChange, problems }: FieldInputProps) {
  const { steps, flows } = useContext(TargetsContext);
  const { node, flow_id: flow } = data as { node?: string; flow_id?: string };
  const value = flow === undefined ? `step ${node ?? ''}` : `flow ${flow}`;
  const options: (readonly [string, string])[] = [
    ['step ', 'Choose a step'],
    ...steps.map(([id, name]) => [`step ${id}`, name] as const),
    ...flows.map(([id, name]) => [`flow ${id}`, `Flow: ${name}`] as const),
  ];
  if (!options.some(([each]) => each === value))
    options.push([value, flow === undefined ? `${node} (no such step)` : 'Unknown flow']);
  return (
    <SelectField
      label={label}
      value={value}
      options={options}
      problem={problems.get('node') ?? problems.get('flow_id')}
      onChange={(chosen) => {
        const [kind, id] = chosen.split(' ');
        onChange({
          node: kind === 'step' && id !== '' ? id : undefined,
          flow_id: kind === 'flow' ? id : undefined,
        });
      }}
    />
  );
}
