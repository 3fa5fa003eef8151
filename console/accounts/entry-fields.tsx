/** @jsxImportSource react */
import { PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useRef, type RefObject } from 'react';
import { useFieldProblem } from './entry-form.tsx';

export interface EntryFieldProps {
  value: string;
  onChange(value: string): void;
  /** Validation error of the API. The field shows it and gets the focus. */
  problem?: string | undefined;
  isFocused?: boolean;
}

export interface TextEntryProps extends EntryFieldProps {
  label: string;
  /** Name of the control, unique in its form. */
  name: string;
  hint?: string | undefined;
  type?: 'text' | 'email' | 'password' | 'url';
  autoComplete?: string;
  inputMode?: 'numeric';
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  isRequired?: boolean;
  isReadOnly?: boolean;
}

export function TextEntry(props: TextEntryProps) {
  return <TextInput {...useControl(props)} />;
}

/** Password input with a button inside that shows the text. */
function PasswordEntry(props: TextEntryProps) {
  const { type: _type, ...control } = useControl(props);
  return <PasswordInput {...control} visibilityToggleButtonProps={{ 'aria-label': 'Show password' }} />;
}

export function EmailField({ isReadOnly, ...props }: EntryFieldProps & { isReadOnly?: boolean }) {
  return (
    <TextEntry
      {...props}
      name="email"
      label="Email"
      type="email"
      maxLength={320}
      autoComplete="username"
      isReadOnly={isReadOnly ?? false}
      isRequired
    />
  );
}

export function NameField(props: EntryFieldProps) {
  return (
    <TextEntry {...props} name="full_name" label="Your name" maxLength={255} autoComplete="name" isRequired />
  );
}

/** Input for the user's current password. */
export function CurrentPasswordField({ label = 'Password', ...props }: EntryFieldProps & { label?: string }) {
  return (
    <PasswordEntry
      {...props}
      name="password"
      label={label}
      maxLength={200}
      autoComplete="current-password"
      isRequired
    />
  );
}

export function NewPasswordField({ label = 'Password', ...props }: EntryFieldProps & { label?: string }) {
  return (
    <PasswordEntry
      {...props}
      name="new_password"
      label={label}
      hint="At least 8 characters. A short phrase works well."
      minLength={8}
      maxLength={200}
      autoComplete="new-password"
      isRequired
    />
  );
}

/** Field for the six digits of a code that was sent by mail. */
export function MailedCodeField(props: EntryFieldProps) {
  return (
    <TextEntry
      {...props}
      name="code"
      label="Verification code"
      hint="Enter the 6-digit code we emailed you."
      inputMode="numeric"
      pattern="\s*[0-9]{6}\s*"
      autoComplete="one-time-code"
      isRequired
      isFocused
    />
  );
}

function useControl(props: TextEntryProps) {
  const { label, name, value, onChange, problem, hint, isFocused, isRequired, isReadOnly, ...attributes } =
    props;
  const input = useRef<HTMLInputElement>(null);
  const own = useFieldProblem(name);
  useEffect(() => {
    if (isFocused) input.current?.focus();
  }, []);
  useFocusOnProblem(input, problem);
  return {
    ...attributes,
    ref: input,
    name,
    label,
    value,
    description: hint,
    error: own ?? problem,
    required: isRequired ?? false,
    readOnly: isReadOnly ?? false,
    withAsterisk: false,
    autoComplete: attributes.autoComplete ?? 'off',
    dir: 'auto' as const,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange(currentTarget.value),
  };
}

/** Focuses the first invalid field of the form. */
function useFocusOnProblem(field: RefObject<HTMLInputElement | null>, problem: string | undefined): void {
  useEffect(() => {
    const { current } = field;
    const first = current?.form?.querySelector('[aria-invalid="true"]') ?? current;
    if (problem !== undefined && first === current) current?.focus();
  }, [problem]);
}
