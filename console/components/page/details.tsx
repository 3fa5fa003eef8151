import { UnstyledButton } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { toAccessibleName } from '../text/accessible-name.ts';
import { IconChevron } from '../../shell/icons.ts';

export interface DetailsProps {
  title: string;
  /** Name of the thing to which the details belong, added to the button's accessible name. */
  about?: string;
  children: ReactNode;
}

/** Collapsible part of a page, for details that few people need. */
export function Details({ title, about, children }: DetailsProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="details">
      <UnstyledButton
        className="details-button"
        aria-label={toAccessibleName(title, about)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevron size={16} />
        {title}
      </UnstyledButton>
      {isOpen && (
        <div id={id} className="details-body">
          {children}
        </div>
      )}
    </div>
  );
}
