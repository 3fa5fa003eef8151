import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Scrolls a row of links sideways to the one of the page that is shown, where not all of them have room: as somebody goes
 * there, as the window changes, and as it becomes known which links there are.
 */
export function useInView(current: string, linkCount: number): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current: shown } = row;
    if (!shown) return;
    const observer = new ResizeObserver(() => centre(shown));
    observer.observe(shown);
    return () => observer.disconnect();
  }, [current, linkCount]);
  return row;
}

function centre(row: Element): void {
  const link = row.querySelector('[aria-current]')?.getBoundingClientRect();
  const { left, width } = row.getBoundingClientRect();
  if (link) row.scrollBy({ left: link.left + link.width / 2 - (left + width / 2) });
}
