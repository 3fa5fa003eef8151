import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface SectionProps {
  title: string;
  children: ComponentChildren;
}

/** Section of a page with its own heading. */
export function Section({ title, children }: SectionProps) {
  const id = useId();
  return (
    <section class="card stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
