import type { ComponentChildren } from 'preact';
import { toSafeLink } from '../../browser/safe-link.ts';

export interface SafeLinkProps {
  /** From outside: it may be anything. */
  href: string | null;
  children: ComponentChildren;
}

/** A link that opens beside the console; only its text where it is no page and no address of mail. */
export function SafeLink({ href, children }: SafeLinkProps) {
  const safeHref = toSafeLink(href);
  if (safeHref === null) return <span>{children}</span>;
  return (
    <a href={safeHref} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
