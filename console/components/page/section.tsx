import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

export interface SectionProps {
  title: string;
  /** Sentence below the section's title. */
  description?: ReactNode;
  /** Buttons at the right of the section's title. */
  tools?: ReactNode;
  children: ReactNode;
}

/**
 * Section of a console page with its own heading. On settings pages, the heading is to the left of the
 * content.
 */
export function Section({ title, description, tools, children }: SectionProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="section-head">
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {description !== undefined && <p className="hint">{description}</p>}
        </div>
        {tools}
      </div>
      <div className="section-body">{children}</div>
    </section>
  );
}
