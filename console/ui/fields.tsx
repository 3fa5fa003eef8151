import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

interface FieldProps<T> {
  label: string;
  value: T;
  onChange(value: T): void;
  hint?: string | undefined;
  /** Validation error. The field shows it and gets the focus. */
  problem?: string | undefined;
}

export interface TextFieldProps extends FieldProps<string> {
  type?: 'text' | 'password' | 'email' | 'tel' | 'url' | 'number' | 'search' | 'date';
  placeholder?: string;
  autoComplete?: string;
  isRequired?: boolean;
  isFocused?: boolean;
  isReadOnly?: boolean;
  min?: number;
  max?: number;
  step?: number | 'any';
  minLength?: number;
  maxLength?: number;
  inputMode?: 'numeric';
  /** DOM id of a `datalist` element with suggestions. */
  list?: string;
  pattern?: string;
}

export function TextField({
  label,
  value,
  onChange,
  hint,
  problem,
  isFocused,
  isRequired,
  isReadOnly,
  ...rest
}: TextFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) input.current?.focus();
  }, []);
  useFocusOnProblem(input, problem);
  const { autoComplete, type = 'text', ...attributes } = rest;
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      <input
        {...attributes}
        // The cast satisfies Preact's types, which differ between types of inputs. The attributes here are
        // valid for all.
        type={type as 'text'}
        ref={input}
        id={id}
        value={value}
        dir="auto"
        required={isRequired ?? false}
        readOnly={isReadOnly ?? false}
        autocomplete={autoComplete ?? 'off'}
        aria-invalid={problem !== undefined}
        aria-describedby={listDescriptionIds(id, hint, problem)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

export type CurrentPasswordFieldProps = Omit<TextFieldProps, 'label' | 'maxLength' | 'autoComplete'> & {
  label?: string;
};

/** Password input with an option to show the text. */
export function PasswordField(props: TextFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <TextField {...props} type={isShown ? 'text' : 'password'} isRequired />
      <CheckboxField label="Show the password" isChecked={isShown} onChange={setShown} />
    </>
  );
}

/** Input for the user's current password. */
export function CurrentPasswordField({ label = 'Password', ...props }: CurrentPasswordFieldProps) {
  return <PasswordField {...props} label={label} maxLength={200} autoComplete="current-password" />;
}

/** Input for a colour as #rrggbb, which the user enters or picks. */
export function ColorField(props: FieldProps<string> & { isRequired?: boolean }) {
  const { label, value, onChange } = props;
  return (
    <div class="color">
      <TextField {...props} pattern="#[0-9A-Fa-f]{6}" maxLength={7} />
      <input
        type="color"
        aria-label={`Choose: ${label}`}
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#ffffff'}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

export interface TextAreaProps extends FieldProps<string> {
  rows?: number;
  maxLength?: number;
  isRequired?: boolean;
}

export function TextArea({
  label,
  value,
  onChange,
  hint,
  problem,
  rows = 3,
  maxLength,
  isRequired,
}: TextAreaProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useFocusOnProblem(area, problem);
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      <textarea
        ref={area}
        aria-invalid={problem !== undefined}
        id={id}
        rows={rows}
        value={value}
        dir="auto"
        maxLength={maxLength}
        required={isRequired ?? false}
        aria-describedby={listDescriptionIds(id, hint, problem)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

export interface SelectFieldProps<V extends string> extends FieldProps<V> {
  /** Values to choose from, with their labels. */
  options: readonly (readonly [value: V, label: string])[];
}

export function SelectField<V extends string>({
  label,
  value,
  onChange,
  hint,
  problem,
  options,
}: SelectFieldProps<V>) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  useFocusOnProblem(select, problem);
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      <select
        ref={select}
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={listDescriptionIds(id, hint, problem)}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as V)}
      >
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

export interface CheckboxFieldProps {
  label: string;
  isChecked: boolean;
  onChange(isChecked: boolean): void;
}

export function CheckboxField({ label, isChecked, onChange }: CheckboxFieldProps) {
  return (
    <label class="checkbox">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

/** Focuses the first invalid field of the form. */
function useFocusOnProblem(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | null>,
  problem: string | undefined,
): void {
  useEffect(() => {
    const { current } = field;
    const first = current?.form?.querySelector('[aria-invalid="true"]') ?? current;
    if (problem !== undefined && first === current) current?.focus();
  }, [problem]);
}

interface LabelledProps {
  id: string;
  label: string;
  hint: string | undefined;
  problem?: string | undefined;
  children: ComponentChildren;
}

function Field({ id, label, hint, problem, children }: LabelledProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

function listDescriptionIds(id: string, hint: string | undefined, problem: string | undefined) {
  const ids = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean);
  return ids.join(' ') || undefined;
}
