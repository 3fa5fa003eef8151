import { Checkbox, NativeSelect, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useEffect, useId, useRef, type HTMLInputTypeAttribute, type RefObject } from 'react';
import { useFieldProblem } from './form.tsx';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export interface FieldProps<T> {
  label: string;
  value: T;
  onChange(value: T): void;
  hint?: string | undefined;
  /** Validation error of the API about this field. The field shows this error and gets the focus. */
  problem?: string | undefined;
}

export interface TextFieldProps extends FieldProps<string> {
  type?: HTMLInputTypeAttribute;
  /** Name of the input, by which password managers recognize it. */
  name?: string;
  placeholder?: string;
  autoComplete?: string;
  isRequired?: boolean;
  isFocused?: boolean;
  isReadOnly?: boolean;
  min?: number | string;
  max?: number | string;
  step?: number | 'any';
  minLength?: number;
  maxLength?: number;
  inputMode?: 'numeric';
  /** DOM id of the list of suggestions for the input. */
  list?: string;
  pattern?: string;
  /** Sentence that says which format the input's `pattern` asks for. */
  title?: string;
}

export function TextField(props: TextFieldProps) {
  return <TextInput {...useTextControl(props)} />;
}

/** Password input with a button inside that shows the text. */
export function PasswordField(props: TextFieldProps) {
  const control = useTextControl({ isRequired: true, ...props });
  return (
    <PasswordInput
      {...control}
      aria-invalid={control.error !== undefined}
      visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
    />
  );
}

/** Input for the user's current password. */
export function CurrentPasswordField({
  label = 'Password',
  ...props
}: Omit<TextFieldProps, 'label'> & { label?: string }) {
  return (
    <PasswordField {...props} name="password" label={label} maxLength={200} autoComplete="current-password" />
  );
}

export interface TextAreaProps extends FieldProps<string> {
  rows?: number;
  maxLength?: number;
  placeholder?: string;
  isRequired?: boolean;
}

export function TextArea({ rows = 3, ...props }: TextAreaProps) {
  return <Textarea {...useTextControl<HTMLTextAreaElement>(props)} rows={rows} />;
}

export interface SelectFieldProps<V extends string> extends FieldProps<V> {
  /** Values that the user can choose from, with their labels. */
  options: readonly (readonly [value: V, label: string])[];
  /** Whether only screen readers get the label, because a visible text next to the field already names it. */
  isLabelHidden?: boolean;
}

/** Select field for one of a few values. Uses the browser's own list of options, which works best on phones. */
export function SelectField<V extends string>({
  options,
  onChange,
  value,
  label,
  hint,
  problem,
  isLabelHidden = false,
}: SelectFieldProps<V>) {
  const control = useControl<HTMLSelectElement>(hint, problem);
  return (
    <NativeSelect
      {...control}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      value={value}
      data={options.map(([each, name]) => ({ value: each, label: name }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value as V)}
    />
  );
}

export interface CheckboxFieldProps {
  label: string;
  isChecked: boolean;
  onChange(isChecked: boolean): void;
  hint?: string;
}

export function CheckboxField({ label, isChecked, onChange, hint }: CheckboxFieldProps) {
  return (
    <Checkbox
      label={label}
      description={hint}
      checked={isChecked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

/** Switch in a form, with a sentence about its effect. */
export function SwitchField({ label, isChecked, onChange, hint }: CheckboxFieldProps) {
  return (
    <Switch
      label={label}
      description={hint}
      checked={isChecked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

/** Provides the props of a form's text input. */
export function useTextControl<C extends HTMLInputElement | HTMLTextAreaElement = HTMLInputElement>({
  hint,
  problem,
  isFocused = false,
  isRequired = false,
  isReadOnly = false,
  autoComplete = 'off',
  onChange,
  ...attributes
}: Omit<TextFieldProps, 'type'> & { type?: HTMLInputTypeAttribute }) {
  const control = useControl<C>(hint, problem);
  useEffect(() => {
    if (isFocused) control.ref.current?.focus();
  }, []);
  return {
    ...attributes,
    ...control,
    autoComplete,
    required: isRequired,
    readOnly: isReadOnly,
    withAsterisk: false,
    dir: 'auto' as const,
    // Let a dialog focus this control first, not the dialog's first control.
    ...(isFocused && { 'data-autofocus': true }),
    onChange: ({ currentTarget }: { currentTarget: C }) => onChange(currentTarget.value),
  };
}

/**
 * Provides the props that all inputs of a form share: the id, the hint, and the error that the form or the
 * API reported.
 */
function useControl<C extends Control>(hint: string | undefined, problem: string | undefined) {
  const id = useId();
  const ref = useRef<C>(null);
  const own = useFieldProblem(id);
  useFocusOnProblem(ref, problem);
  return { id, ref, description: hint, error: own ?? problem };
}

/** Focuses the field when the API has reported an error about it, if it is the form's first invalid field. */
function useFocusOnProblem(field: RefObject<Control | null>, problem: string | undefined): void {
  useEffect(() => {
    const { current } = field;
    const first = current?.form?.querySelector('[aria-invalid="true"]') ?? current;
    if (problem !== undefined && first === current) current?.focus();
  }, [problem]);
}
