import type { ComponentChildren } from 'preact';
import { toSafeLink } from '../../browser/safe-link.ts';

export interface SafeLinkProps {
  /** Untrusted address. */
  href: string | null;
  children: ComponentChildren;
}

/** Link that opens in a new tab; renders only the text if the address is neither a web page nor a mail address. */
export function SafeLink({ href, children }: SafeLinkProps) {
  const safeHref = toSafeLink(href);
  if (safeHref === null) return <span>{children}</span>;
  return (
    <a href={safeHref} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
