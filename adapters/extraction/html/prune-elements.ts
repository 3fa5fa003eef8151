import type { Element } from 'domhandler';
import { isElement, isHeading, setChildren } from './page-tree.ts';

/** Kind of content that remains in an HTML element after the removal of some descendants. */
type RemainingContent = 'text' | 'headings' | 'nothing';

/**
 * Removes elements from a page, and each heading above them that has no other content below it.
 * @param isSide function that returns whether to remove an element with its content
 * @param isKept function that returns whether to keep a heading in any case
 */
export function pruneElements(
  element: Element,
  isSide: (element: Element) => boolean,
  isKept: (heading: Element) => boolean,
): RemainingContent {
  const removed = new Set<unknown>();
  let hasText = false;
  /** Heading above the next child, and whether elements below this heading were removed. */
  let heading: Element | undefined;
  let isOrphan = false;
  const closeHeading = (): void => {
    if (heading && isOrphan && !isKept(heading)) removed.add(heading);
    isOrphan = false;
  };
  for (const child of element.children) {
    if (child.type === 'text' && child.data.trim()) {
      hasText = true;
      heading = undefined;
    }
    if (!isElement(child)) continue;
    if (isSide(child)) {
      removed.add(child);
      isOrphan = true;
      continue;
    }
    const remains = isHeading(child) ? 'headings' : pruneElements(child, isSide, isKept);
    if (remains === 'text') {
      hasText = true;
      heading = undefined;
      isOrphan = false;
    } else if (remains === 'headings') {
      closeHeading();
      heading = child;
    }
  }
  closeHeading();
  if (removed.size > 0)
    setChildren(
      element,
      element.children.filter((child) => !removed.has(child)),
    );
  if (hasText) return 'text';
  return heading && !removed.has(heading) ? 'headings' : 'nothing';
}
