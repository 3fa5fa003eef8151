import type { ComponentChildren } from 'preact';

const SAFE_SCHEMES = new Set(['http:', 'https:', 'mailto:']);

export interface SafeLinkProps {
  /** From outside: it may be anything. */
  href: string | null;
  children: ComponentChildren;
}

/** A link that opens beside the console; only its text where it is no page and no address of mail. */
export function SafeLink({ href, children }: SafeLinkProps) {
  if (href === null || !isSafe(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

function isSafe(href: string): boolean {
  return URL.canParse(href) && SAFE_SCHEMES.has(new URL(href).protocol);
}
