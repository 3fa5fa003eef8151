import type { ReactNode } from 'react';
import { toSafeLink } from '../../../browser/safe-link.ts';

export interface SafeLinkProps {
  /** URL of the link, which may come from an untrusted source. */
  href: string | null;
  children: ReactNode;
}

/** Link that opens in a new tab. Renders only the text if the URL is not safe as a link. */
export function SafeLink({ href, children }: SafeLinkProps) {
  const safeHref = toSafeLink(href);
  if (safeHref === null) return <span>{children}</span>;
  return (
    <a href={safeHref} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
