import { Button } from '@mantine/core';
import {
  createContext,
  useContext,
  useRef,
  useState,
  type ComponentProps,
  type FormEvent,
  type ReactNode,
} from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Problems = Readonly<Record<string, string>>;

const FieldProblems = createContext<Problems>({});

export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> {
  onSubmit(): void;
  /** Whether the form can be submitted; true by default. */
  isReady?: boolean;
  children: ReactNode;
}

/**
 * Form that checks its inputs when the user submits it. Each invalid input shows the console's message
 * instead of the browser's, and the first invalid input gets the focus.
 */
export function Form({ onSubmit, isReady = true, className = 'form-stack', children, ...props }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // Ignore events of forms in portals, which React also passes to the forms around the portals.
    if (event.target !== form.current || !isReady) return;
    const invalid = listControls(form.current).filter(({ validity }) => !validity.valid);
    setProblems(Object.fromEntries(invalid.map((control) => [control.id, describeInvalid(control)])));
    const [first] = invalid;
    if (first) first.focus();
    else onSubmit();
  };
  return (
    <form {...props} ref={form} noValidate className={className} onSubmit={submit}>
      <FieldProblems.Provider value={problems}>{children}</FieldProblems.Provider>
    </form>
  );
}

/** Returns the validation error of a form's input; undefined if the input is valid. */
export function useFieldProblem(id: string): string | undefined {
  return useContext(FieldProblems)[id];
}

export interface SubmitButtonProps {
  isBusy: boolean;
  isDisabled?: boolean;
  isWide?: boolean;
  /** Whether submitting the form deletes or ends something. */
  isDangerous?: boolean;
  children: ReactNode;
}

/**
 * Button that submits the form. While the form cannot be submitted, the button is `aria-disabled` instead of
 * `disabled`: a disabled button would lose the keyboard focus.
 */
export function SubmitButton({
  isBusy,
  isDisabled = false,
  isWide = false,
  isDangerous = false,
  children,
}: SubmitButtonProps) {
  return (
    <Button
      type="submit"
      fullWidth={isWide}
      {...(isDangerous && { color: 'red' })}
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
    (element): element is Control => 'validity' in element && 'name' in element && element.id !== '',
  );
}

/** Returns the console's message for an input that the browser considers invalid. */
function describeInvalid(control: Control): string {
  const { validity, type, title } = control;
  const { min, max, minLength, maxLength } = control as HTMLInputElement;
  if (validity.valueMissing) return 'This field is required.';
  if (validity.tooShort) return `Use at least ${minLength} characters.`;
  if (validity.tooLong) return `Use at most ${maxLength} characters.`;
  if (validity.typeMismatch)
    return type === 'url' ? 'Enter a full URL.' : 'Enter a valid email, e.g. ada@example.com.';
  if (validity.rangeUnderflow) return type === 'number' ? `Enter ${min} or more.` : `Choose ${min} or later.`;
  if (validity.rangeOverflow)
    return type === 'number' ? `Enter ${max} or less.` : `Choose ${max} or earlier.`;
  if (validity.badInput) return type === 'number' ? 'Enter a number.' : 'Enter a valid value.';
  if (validity.stepMismatch) return 'Enter a whole number.';
  return title || 'Check the format of this field.';
}
