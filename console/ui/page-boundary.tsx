import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';

export interface PageBoundaryProps {
  /** Of the page: another one is drawn again. */
  place: string;
  children: ComponentChildren;
}

/** What goes wrong while a page is drawn is told, and leaves the other pages alone. */
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
