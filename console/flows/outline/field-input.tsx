import { CheckboxField, SelectField, TextArea, TextField } from '../../components/forms/fields.tsx';
import type { FieldInputProps } from './field-input-props.ts';
import { IdInput } from './id-input.tsx';
import { ListInput } from './list-input.tsx';
import { SecretInput } from './secret-input.tsx';
import { TargetInput } from './target-input.tsx';
import { useTyped } from './use-typed.ts';
import { ValueInput } from './value-input.tsx';

/** Renders the input that fits the kind of a field in a step's form. */
export function FieldInput(props: FieldInputProps) {
  const { field, data, onChange, pathPrefix, problems } = props;
  const { name, label, hint } = field;
  const problem = problems.get(pathPrefix + name);
  const value = data[name];
  const storeText = (text: string): void =>
    onChange({ [name]: text === '' && field.initial === undefined ? undefined : text });
  const common = { label, hint, problem };
  switch (field.kind) {
    case 'line':
      return (
        <TextField
          {...common}
          value={coerceText(value)}
          onChange={storeText}
          {...(field.max !== undefined && { maxLength: field.max })}
          {...(field.placeholder !== undefined && { placeholder: field.placeholder })}
        />
      );
    case 'text':
      return (
        <TextArea
          {...common}
          value={coerceText(value)}
          rows={field.rows ?? 3}
          onChange={storeText}
          {...(field.max !== undefined && { maxLength: field.max })}
        />
      );
    case 'number':
      return <NumberInput {...props} field={field} />;
    case 'choice':
      return (
        <SelectField
          {...common}
          value={coerceText(value ?? field.defaultOption)}
          options={field.options}
          onChange={(chosen) => onChange({ [name]: chosen === field.defaultOption ? undefined : chosen })}
        />
      );
    case 'flag':
      return (
        <CheckboxField
          label={label}
          isChecked={value === true}
          onChange={(isChecked) => onChange({ [name]: isChecked || undefined })}
        />
      );
    case 'words':
      return <WordsInput {...props} />;
    case 'value':
      return <ValueInput {...props} />;
    case 'id':
      return <IdInput {...props} />;
    case 'secret':
      return <SecretInput {...props} />;
    case 'target':
      return <TargetInput {...props} />;
    case 'list':
      return <ListInput {...props} field={field} input={FieldInput} />;
  }
}

function coerceText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function NumberInput({ field, data, pathPrefix, onChange, problems }: FieldInputProps) {
  const { name, label, hint } = field;
  const [typed, setTyped] = useTyped(
    data[name] as number | undefined,
    (number) => (number === undefined ? '' : String(number)),
    (text) => (text.trim() === '' ? undefined : Number(text)),
  );
  if (field.kind !== 'number') return null;
  const { min, max, placeholder } = field;
  return (
    <TextField
      label={label}
      hint={hint}
      problem={problems.get(pathPrefix + name)}
      type="number"
      step="any"
      value={typed}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      {...(placeholder !== undefined && { placeholder })}
      onChange={(text) => {
        setTyped(text);
        onChange({ [name]: text.trim() === '' ? undefined : Number(text) });
      }}
    />
  );
}

const parseWords = (text: string): string[] | undefined => {
  const words = text
    .split('\n')
    .map((word) => word.trim())
    .filter(Boolean);
  return words.length === 0 ? undefined : [...new Set(words)];
};

function WordsInput({ field: { name, label, hint }, data, pathPrefix, onChange, problems }: FieldInputProps) {
  const [typed, setTyped] = useTyped(
    data[name] as string[] | undefined,
    (words) => (words ?? []).join('\n'),
    parseWords,
  );
  return (
    <TextArea
      label={label}
      hint={hint}
      problem={problems.get(pathPrefix + name)}
      rows={2}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange({ [name]: parseWords(text) });
      }}
    />
  );
}
