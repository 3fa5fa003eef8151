import type { ComponentProps } from 'preact';

export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit(): void;
  /** Whether the form can be submitted; true by default. */
  isReady?: boolean;
}

/**
 * Form with a submit button. While inactive, the button is `aria-disabled` instead of `disabled`: a disabled
 * button would lose the keyboard focus.
 */
export function Form({ onSubmit, isReady = true, ...props }: FormProps) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onSubmit();
      }}
    />
  );
}
