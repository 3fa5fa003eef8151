import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';

export interface PageBoundaryProps {
  /** URL of the page. When it changes, the boundary renders its children again. */
  place: string;
  children: ComponentChildren;
}

/** Catches errors while rendering a page. Shows a message instead of the page; the navigation still works. */
export function PageBoundary({ place, children }: PageBoundaryProps) {
  const [failedAt, setFailedAt] = useState<string | null>(null);
  useErrorBoundary((error: unknown) => {
    setFailedAt(place);
    reportError(error);
  });
  useEffect(() => () => setFailedAt((failed) => (failed === place ? null : failed)), [place]);
  if (failedAt === place) return <p class="empty">Something went wrong on this page.</p>;
  return <>{children}</>;
}
