import { SelectField, TextField } from '../../components/forms/fields.tsx';
import type { FieldInputProps } from './field-input-props.ts';
import { useTyped } from './use-typed.ts';

type Kind = 'text' | 'number' | 'boolean';

const kinds = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['boolean', 'Yes or no'],
] as const;

/** Input for text with placeholders, a number or a boolean. A list is entered as comma-separated text. */
export function ValueInput({
  field: { name, label },
  data,
  pathPrefix,
  onChange,
  problems,
}: FieldInputProps) {
  const value = data[name];
  const kind = getValueKind(value);
  const parseInput = (text: string): unknown => (kind === 'number' ? Number(text) : text);
  const [typed, setTyped] = useTyped(value, formatFlowValue, parseInput);
  const changeValue = (next: unknown): void => onChange({ [name]: next });
  const problem = problems.get(pathPrefix + name);
  return (
    <div className="row">
      <SelectField
        label={`${label}: type`}
        value={kind}
        options={kinds}
        onChange={(chosen) => {
          const next = convertValue(chosen, value);
          setTyped(formatFlowValue(next));
          changeValue(next);
        }}
      />
      {kind === 'boolean' ? (
        <SelectField
          label={label}
          value={String(value)}
          options={[
            ['true', 'Yes'],
            ['false', 'No'],
          ]}
          onChange={(chosen) => changeValue(chosen === 'true')}
        />
      ) : (
        <TextField
          label={label}
          type={kind}
          {...(kind === 'number' && { step: 'any' as const })}
          maxLength={4000}
          value={typed}
          problem={problem}
          onChange={(text) => {
            setTyped(text);
            changeValue(parseInput(text));
          }}
        />
      )}
    </div>
  );
}

function getValueKind(value: unknown): Kind {
  return typeof value === 'number' || typeof value === 'boolean' ? (typeof value as Kind) : 'text';
}

function formatFlowValue(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String((value as string | number | undefined) ?? '');
}

function convertValue(kind: Kind, value: unknown): unknown {
  if (kind === 'text') return String((value as string | undefined) ?? '');
  if (kind === 'boolean') return value === 'true';
  return Number(value) || 0;
}
