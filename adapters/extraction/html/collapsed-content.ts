import type { CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';
import { isInvisible, isOffScreen, parseInlineStyle } from './inline-style.ts';
import {
  findSibling,
  isBlock,
  isElement,
  isHeading,
  listParents,
  measureText,
  readNames,
  removeElements,
} from './page-tree.ts';
import { holdsText, PanelControls } from './panel-controls.ts';

const HIDDEN_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Selects the elements of a page whose own attributes may hide them. */
const MAYBE_HIDDEN = '[hidden],[style],[aria-hidden=true],[popover],dialog';
/** Matches class names and ids of panels that visitors open, such as answers and tabs. */
const PANEL_NAMES =
  / (?:accord\w*|akkord\w*|collaps\w*|expand\w*|toggle\w*|faqs?|answers?|antworten?|tabs?|tab ?pan\w+|tab ?content|disclosure\w*|spoilers?|read ?more|show ?more|slides?|slick|swiper|carousel) /;
/**
 * Matches class names and ids of icons, whose text is a code, and of copies that a carousel makes of its
 * slides.
 */
const DECORATION_NAMES = / (?:icons?|material|clone|cloned|duplicate) /;
/** Matches ARIA roles of elements that only scripts show, such as the error messages of a form. */
const MESSAGE_ROLE = /^(?:alert|status|log|timer|tooltip)$/;
/** Matches class names and ids of texts for screen readers, and of links that skip to the content. */
const SPOKEN_NAMES = / (?:sr only|visually ?hidden|screen ?reader\w*|accessib\w*|assistive|skip) /;
/** Maximum number of elements around a collapsed panel whose class names may identify it as a panel. */
const MAX_DISTANCE = 2;
/** Minimum number of visible letters in a web page. If a page has fewer, scripts reveal its content. */
const MIN_PAGE_LETTERS = 200;

interface PageStyle {
  /** True if scripts may show elements of the page that are transparent or empty at first. */
  hasScripts: boolean;
  /** Elements of the page that its style sheets hide. */
  hiddenByRules: ReadonlySet<Element>;
}

/**
 * Reveals panels that a visitor can open, such as answers, tabs and slides, and removes other hidden
 * elements. The name of a panel becomes text before the panel.
 */
export function revealCollapsed($: CheerioAPI, { hasScripts, hiddenByRules }: PageStyle): void {
  const controls = new PanelControls($);
  const revealed = new Set<Element>();
  const removed = new Set<Element>();
  const isHidden = (element: Element) =>
    isHiddenByAttributes(element) || isHiddenByStyle(element, hasScripts) || hiddenByRules.has(element);
  const candidates = $(hiddenByRules.size > 0 ? '*' : MAYBE_HIDDEN)
    .get()
    .filter(isElement);
  for (const element of candidates.filter(isHidden)) {
    (canBeOpened(element, controls, revealed) ? revealed : removed).add(element);
  }
  const page = findHiddenPage($, removed);
  if (page) {
    removed.delete(page);
    revealed.add(page);
  }
  removeElements([...removed].filter((element) => !hasParentIn(element, removed)));
  controls.writeLabels(revealed);
  for (const { attribs } of revealed) {
    delete attribs['hidden'];
    delete attribs['aria-hidden'];
    if (HIDDEN_STYLE.test(attribs['style'] ?? '')) delete attribs['style'];
  }
}

function isHiddenByAttributes(element: Element): boolean {
  const { hidden, style = '', 'aria-hidden': ariaHidden, popover, open } = element.attribs;
  if (hidden !== undefined || HIDDEN_STYLE.test(style)) return true;
  if (popover !== undefined || (element.tagName === 'dialog' && open === undefined)) return true;
  // Keep inline elements with aria-hidden, since browsers show them. They are symbols and prices, for which
  // screen readers get other words.
  return ariaHidden === 'true' && (isBlock(element) || DECORATION_NAMES.test(readNames(element)));
}

function isHiddenByStyle(element: Element, hasScripts: boolean): boolean {
  const style = parseInlineStyle(element);
  if (!hasScripts && isInvisible(style)) return true;
  // A heading that a style moves off the screen is the text of a picture; any other text off the screen is
  // for screen readers.
  return isOffScreen(style) && !isHeading(element) && !SPOKEN_NAMES.test(readNames(element));
}

function canBeOpened(element: Element, controls: PanelControls, revealed: ReadonlySet<Element>): boolean {
  const { hidden, role = '', 'aria-live': live } = element.attribs;
  const names = readNames(element);
  if (MESSAGE_ROLE.test(role) || live !== undefined || DECORATION_NAMES.test(names)) return false;
  if (!holdsText(element)) return false;
  if (hidden === 'until-found' || role === 'tabpanel') return true;
  if ([names, ...listParents(element, MAX_DISTANCE).map(readNames)].some((name) => PANEL_NAMES.test(name)))
    return true;
  const before = findSibling(element, 'prev');
  const continues = before !== undefined && before.tagName === element.tagName && revealed.has(before);
  return continues || controls.isControlled(element);
}

const hasParentIn = (element: Element, elements: ReadonlySet<Element>): boolean =>
  listParents(element).some((parent) => elements.has(parent));

/**
 * Returns the hidden element that contains the page's content, if a script reveals this element once it has
 * loaded.
 */
function findHiddenPage($: CheerioAPI, removed: ReadonlySet<Element>): Element | undefined {
  const outer = [...removed].filter((element) => !hasParentIn(element, removed));
  if (outer.length === 0) return undefined;
  const headings = $('h1').get();
  const main = $('main,[role=main]').get(0) ?? (headings.length === 1 ? headings[0] : undefined);
  const around = outer.find((element) => main && main !== element && listParents(main).includes(element));
  if (around) return around;
  const sizes = new Map(outer.map((element) => [element, measureText(element).letters]));
  const [largest, letters] = [...sizes].sort(([, a], [, b]) => b - a)[0] ?? [undefined, 0];
  const collapsedLetters = [...sizes.values()].reduce((total, size) => total + size, 0);
  const pageLetters = measureText($('body').get(0)!).letters;
  return letters > pageLetters - collapsedLetters && pageLetters - collapsedLetters < MIN_PAGE_LETTERS
    ? largest
    : undefined;
}
