import { Button } from '@mantine/core';
import { CheckboxField, TextField } from '../../components/forms/fields.tsx';
import type { FieldInputProps } from './field-input-props.ts';

/**
 * Input for the value of an HTTP header. The API never returns a stored secret: undefined keeps the stored
 * secret, null removes it.
 */
export function SecretInput({ field: { label }, data, pathPrefix, onChange, problems }: FieldInputProps) {
  const { value, secret, has_value: isStored } = data;
  const problem = problems.get(`${pathPrefix}value`);
  const isSecret = secret === true;
  const isKept = isSecret && isStored === true && value === undefined;
  const isRemoved = isSecret && value === null;
  return (
    <div className="stack">
      {isKept || isRemoved ? (
        <div className="stack">
          <span>
            <strong>{label}</strong>:{' '}
            {isKept ? 'stored, never shown' : 'will be removed when you save the flow'}
          </span>
          <div className="row">
            <Button variant="default" onClick={() => onChange({ value: '' })}>
              Replace secret
            </Button>
            {isKept ? (
              <Button variant="light" color="red" onClick={() => onChange({ value: null })}>
                Remove secret
              </Button>
            ) : (
              isStored === true && (
                <Button variant="default" onClick={() => onChange({ value: undefined })}>
                  Keep secret
                </Button>
              )
            )}
          </div>
          {isKept && (
            <p className="hint">The secret is removed if you change the server or the ID of the step.</p>
          )}
        </div>
      ) : (
        <>
          <TextField
            label={label}
            value={typeof value === 'string' ? value : ''}
            type={isSecret ? 'password' : 'text'}
            autoComplete={isSecret ? 'new-password' : 'off'}
            maxLength={4000}
            hint={isSecret ? "You won't be able to see it after saving." : undefined}
            problem={problem}
            onChange={(typed) => onChange({ value: typed })}
          />
          {isSecret && isStored === true && (
            <Button variant="default" onClick={() => onChange({ value: undefined })}>
              Keep secret
            </Button>
          )}
        </>
      )}
      <CheckboxField
        label="Secret"
        isChecked={isSecret}
        onChange={(isChecked) =>
          onChange(
            isChecked
              ? { secret: true, value: typeof value === 'string' ? value : undefined }
              : { secret: undefined, has_value: undefined, value: typeof value === 'string' ? value : '' },
          )
        }
      />
    </div>
  );
}
