import type { ComponentChildren } from 'preact';

export interface SubmitButtonProps {
  isBusy: boolean;
  children: ComponentChildren;
}

export function SubmitButton({ isBusy, children }: SubmitButtonProps) {
  return (
    <button class="primary" type="submit" aria-disabled={isBusy} aria-busy={isBusy}>
      {isBusy ? 'One moment …' : children}
    </button>
  );
}
