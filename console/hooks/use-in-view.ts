import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Scrolls a row of links sideways to the one of the page that is shown, where not all of them have room. */
export function useInView(current: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return row;
}
