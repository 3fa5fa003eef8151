import type { LibraryPage } from './library.ts';
import { stripHtml } from './render-markdown.ts';

/** A section of a guide's page that the search can find: a heading and the text below it. */
export interface SearchSection {
  address: string;
  page: string;
  heading: string;
  text: string;
}

const HEADING = /<h([123]) id="([^"]*)">(.*?)(?: <a class="anchor".*?)?<\/h\1>/g;

/** Splits a page of the guides into sections for the search, one for each heading. */
export function splitSections({ address, title }: LibraryPage, html: string): SearchSection[] {
  const headings = [...html.matchAll(HEADING)];
  return headings.map(({ index, 0: { length }, 1: depth, 2: id = '', 3: heading = '' }, position) => ({
    address: depth === '1' ? address : `${address}#${id}`,
    page: title,
    heading: stripHtml(heading),
    text: stripHtml(
      html.slice(index + length, headings[position + 1]?.index).replaceAll(/<\/(p|li|td|th|pre|h\d)>/g, ' '),
    )
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
}
