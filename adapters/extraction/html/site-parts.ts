import type { CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';
import {
  findSibling,
  listAllParents,
  listElements,
  listParents,
  measureText,
  removeElements,
} from './page-tree.ts';

const NAVIGATION = 'nav,[role=navigation],[role=search]';
const SITE_PARTS = `${NAVIGATION},header,footer,aside,[role=banner],[role=contentinfo],[role=complementary]`;
/** Matches names of HTML elements whose headers, footers and asides belong to their content. */
const CONTENT = /^(?:main|article|section|blockquote|details|figure|dialog|td|li|dd)$/;
const MAIN = 'main,article,[role=main],[role=article]';
/**
 * Minimum letters of a page after the removal of its headers and footers. If fewer remained, a removed part
 * contained the page, for example a header that is never closed.
 */
const MIN_LETTERS = 100;

/**
 * Removes a site's navigation from a page, and its headers, footers and asides, but not the headers, footers
 * and asides of an article or section.
 */
export function removeSiteParts($: CheerioAPI): void {
  removeElements(listSkipLinks($));
  /** Elements around the page's main content, which arrange the page. */
  const layout = listAllParents($(MAIN).get());
  const parts = new Set(
    $(SITE_PARTS)
      .get()
      .filter((part) => !layout.has(part) && ($(part).is(NAVIGATION) || !belongsToContent(part, layout))),
  );
  const outer = [...parts]
    .filter((part) => !listParents(part).some((parent) => parts.has(parent)))
    .map((part) => ({ part, ...measureText(part) }))
    .sort((a, b) => b.letters - b.linked - (a.letters - a.linked));
  if (outer.length === 0) return;
  const remainingLetters = outer.reduce(
    (total, { letters }) => total - letters,
    measureText($('body').get(0)!).letters,
  );
  const [largest] = outer;
  const holdsPage =
    remainingLetters < MIN_LETTERS && largest && largest.letters - largest.linked > remainingLetters;
  removeElements((holdsPage ? outer.slice(1) : outer).map(({ part }) => part));
  if (holdsPage) removeElements($(largest.part).find(NAVIGATION).get());
}

/** Lists the links at the beginning of a page that lead past its navigation. */
function listSkipLinks($: CheerioAPI): Element[] {
  const links: Element[] = [];
  const pending = listElements($('body').get(0)!).reverse();
  for (let element = pending.pop(); element; element = pending.pop()) {
    if (element.tagName === 'a' && element.attribs['href']?.startsWith('#')) links.push(element);
    else if (element.children.some((child) => child.type === 'text' && child.data.trim())) return links;
    else for (const child of listElements(element).reverse()) pending.push(child);
  }
  return links;
}

/** Returns whether a header, footer or aside belongs to an article, a section or the text around it. */
function belongsToContent(part: Element, layout: ReadonlySet<Element>): boolean {
  const isContent = (parent: Element) =>
    CONTENT.test(parent.tagName) && (parent.tagName !== 'section' || !layout.has(parent));
  if (listParents(part).some(isContent)) return true;
  return (
    part.tagName === 'aside' &&
    [findSibling(part, 'prev'), findSibling(part, 'next')].some((beside) => beside?.tagName === 'p')
  );
}
