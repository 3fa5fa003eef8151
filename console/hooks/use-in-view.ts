import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Scrolls a row of links sideways so that the current link is visible, also after the width or the number of
 * links changes.
 */
export function useInView(current: string, linkCount: number): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current: shown } = row;
    if (!shown) return;
    const observer = new ResizeObserver(() => scrollToCurrent(shown));
    observer.observe(shown);
    return () => observer.disconnect();
  }, [current, linkCount]);
  return row;
}

function scrollToCurrent(row: Element): void {
  const link = row.querySelector('[aria-current]')?.getBoundingClientRect();
  const { left, width } = row.getBoundingClientRect();
  if (link) row.scrollBy({ left: link.left + link.width / 2 - (left + width / 2) });
}
