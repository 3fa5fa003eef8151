import type { CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';

/** Maximum number of characters that are read of a page's own style sheets. */
const MAX_LENGTH = 500_000;
/** Matches a CSS selector of one class or id, with or without the element's name. */
const SIMPLE = /^([a-z][a-z\d]*)?([.#][\w-]+)$/i;
const HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Matches CSS states with which a style sheet shows elements without scripts. */
const STATE = /:(?:checked|target|hover|focus|active|has|popover-open|open)|\[open\]/i;

/**
 * Lists the elements that the page's own style sheets hide by their class or id unconditionally. Ignores
 * conditional rules, such as those for printing, and style sheets that react to visitors.
 */
export function listHiddenByRules($: CheerioAPI): Set<Element> {
  const sheet = removeComments(
    $('style:not([media]),style[media=all],style[media=screen]').text().slice(0, MAX_LENGTH),
  );
  if (STATE.test(sheet) || $('link[rel~=stylesheet]').length > 0) return new Set();
  /** Names of the elements that the style sheets hide, by class or id; empty if any element is hidden. */
  const hiding = new Map<string, Set<string>>();
  const showing = new Set<string>();
  for (const [selectors, declarations] of listRules(sheet)) {
    const isHiding = HIDDEN.test(declarations);
    for (const selector of selectors.split(',').map((part) => part.trim())) {
      const [, tagName = '', key] = (isHiding && SIMPLE.exec(selector)) || [];
      if (key !== undefined) hiding.set(key, (hiding.get(key) ?? new Set()).add(tagName.toLowerCase()));
      // Ignore the class or id if another rule about it may show its elements.
      else if (/display|visibility/i.test(declarations))
        for (const [name] of selector.matchAll(/[.#][\w-]+/g)) showing.add(name);
    }
  }
  for (const name of showing) hiding.delete(name);
  if (hiding.size === 0) return new Set();
  const isHidden = (element: Element) =>
    listKeys(element).some((key) => {
      const tagNames = hiding.get(key);
      return tagNames !== undefined && (tagNames.has('') || tagNames.has(element.tagName));
    });
  return new Set($('[class],[id]').get().filter(isHidden));
}

/** Lists the CSS selectors of an element's classes and id. */
function listKeys({ attribs }: Element): string[] {
  const classes = (attribs['class'] ?? '').split(/\s+/).map((name) => `.${name}`);
  return [`#${attribs['id'] ?? ''}`, ...classes];
}

/**
 * Removes comments from a style sheet. A comment without an end ends with the style sheet, as in browsers.
 */
function removeComments(sheet: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = sheet.indexOf('/*'); start !== -1; start = sheet.indexOf('/*', from)) {
    parts.push(sheet.slice(from, start));
    const end = sheet.indexOf('*/', start + 2);
    from = end === -1 ? sheet.length : end + 2;
  }
  return parts.join('') + sheet.slice(from);
}

/** Lists the selectors and declarations of a style sheet's rules that apply without a condition. */
function listRules(sheet: string): [selectors: string, declarations: string][] {
  const rules: [string, string][] = [];
  let depth = 0;
  let selectors = '';
  let start = 0;
  for (const { 0: brace, index } of sheet.matchAll(/[{}]/g)) {
    const before = sheet.slice(start, index).trim();
    if (brace === '{' && depth === 0) selectors = before;
    if (brace === '}' && depth === 1 && !selectors.startsWith('@')) rules.push([selectors, before]);
    depth = Math.max(depth + (brace === '{' ? 1 : -1), 0);
    start = index + 1;
  }
  return rules;
}
