import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';

export interface PageBoundaryProps {
  /** Identifies the page; another value renders again after an error. */
  place: string;
  children: ComponentChildren;
}

/** Error boundary of a page: shows that it failed and keeps the others working. */
export function PageBoundary({ place, children }: PageBoundaryProps) {
  const [failedAt, setFailedAt] = useState<string | null>(null);
  useErrorBoundary((error: unknown) => {
    setFailedAt(place);
    reportError(error);
  });
  useEffect(() => () => setFailedAt((failed) => (failed === place ? null : failed)), [place]);
  if (failedAt === place) return <p class="empty">This page cannot be shown. Others can.</p>;
  return <>{children}</>;
}
