/** @jsxImportSource react */
import { Button } from '@mantine/core';
import { createContext, useContext, useRef, useState, type FormEvent, type ReactNode } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Problems = Readonly<Record<string, string>>;

const FieldProblems = createContext<Problems>({});

export interface EntryFormProps {
  onSubmit(): void;
  children: ReactNode;
  className?: string;
}

/**
 * Form that checks its inputs when the user submits it. Each input shows its own problem in our words, and
 * the first invalid one gets the focus.
 */
export function EntryForm({ onSubmit, children, className = 'form-stack' }: EntryFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // Portals pass React's events on to the forms around them.
    if (event.target !== form.current) return;
    const invalid = listControls(form.current).filter(({ validity }) => !validity.valid);
    setProblems(Object.fromEntries(invalid.map((control) => [control.name, describeInvalid(control)])));
    const [first] = invalid;
    if (first) first.focus();
    else onSubmit();
  };
  return (
    <form ref={form} noValidate className={className} onSubmit={submit}>
      <FieldProblems.Provider value={problems}>{children}</FieldProblems.Provider>
    </form>
  );
}

/** Returns the problem of an input that the form has found; undefined if there is none. */
export function useFieldProblem(name: string): string | undefined {
  return useContext(FieldProblems)[name];
}

export interface SubmitButtonProps {
  isBusy: boolean;
  isDisabled?: boolean;
  isWide?: boolean;
  children: ReactNode;
}

/**
 * Button that submits the form. While inactive, it is `aria-disabled` instead of `disabled`: a disabled button
 * would lose the keyboard focus.
 */
export function SubmitButton({ isBusy, isDisabled = false, isWide = true, children }: SubmitButtonProps) {
  return (
    <Button
      type="submit"
      fullWidth={isWide}
      aria-disabled={isBusy || isDisabled}
      aria-busy={isBusy}
      data-inactive={isBusy || isDisabled || undefined}
    >
      {isBusy ? 'Please wait…' : children}
    </Button>
  );
}

function listControls(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (element): element is Control => 'validity' in element && 'name' in element,
  );
}

function describeInvalid({ validity, type, minLength }: Control & { minLength?: number }): string {
  if (validity.valueMissing) return 'This field is required.';
  if (validity.tooShort) return `Use at least ${minLength} characters.`;
  if (validity.typeMismatch)
    return type === 'url' ? 'Enter a full URL.' : 'Enter a valid email, e.g. ada@example.com.';
  if (validity.patternMismatch) return 'Enter the 6 digits.';
  return 'Check this field.';
}
