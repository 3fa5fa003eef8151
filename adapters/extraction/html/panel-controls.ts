import type { CheerioAPI } from 'cheerio';
import { Element, Text } from 'domhandler';
import {
  countLetters,
  isElement,
  isLink,
  listParents,
  listWithin,
  readNames,
  removeElements,
  setChildren,
} from './page-tree.ts';

/** Attributes of a button or link that name the panel which it opens, as the panel's id or as `#id`. */
const REFERENCES = [
  'aria-controls',
  'data-target',
  'data-bs-target',
  'data-tab',
  'data-accordion-target',
  'data-collapse-toggle',
  'popovertarget',
  'commandfor',
];
const REFERRING = ['a[href^="#"]', ...REFERENCES.map((name) => `[${name}]`)].join(',');
const HEADING = /^(?:h[1-6]|dt|summary|legend)$/;
/** Matches class names of buttons that open the panel after them. */
const OPENING_NAMES =
  / (?:accord\w*|akkord\w*|collaps\w*|expand\w*|toggle\w*|faqs?|questions?|disclosure\w*) /;
/** Maximum number of elements around a collapsed panel whose neighbors may be the control that opens it. */
const MAX_DISTANCE = 2;
/** Maximum number of elements in the neighbor of a panel, if that neighbor is the panel's control. */
const MAX_CONTROL_SIZE = 40;
/** Number of a panel's elements by which the panel is recognized as a menu. */
const PANEL_SAMPLE = 400;

/** Finds the controls that open the panels of a page: buttons, tabs, links and headings. */
export class PanelControls {
  readonly #controls = new Map<string, Element>();
  readonly #panels = new Map<string, Element>();
  readonly #$: CheerioAPI;

  constructor($: CheerioAPI) {
    this.#$ = $;
    for (const control of $(REFERRING).get().filter(isElement).reverse()) {
      for (const id of listReferences(control)) this.#controls.set(id, control);
    }
    for (const panel of $('[id]').get().filter(isElement).reverse())
      this.#panels.set(panel.attribs['id']!, panel);
  }

  /**
   * Returns whether an element of the page refers to this panel by its id, or a control is next to the panel.
   */
  isControlled(panel: Element): boolean {
    if (this.#controls.has(panel.attribs['id'] ?? '')) return true;
    const isOwnControl = (part: Element) => isControl(part) && !this.#leadsElsewhere(part, panel);
    const before = findNeighbor(panel, 'prev');
    if (before && holdsControl(before, isOwnControl)) return true;
    const after = findNeighbor(panel, 'next');
    return (
      after !== undefined && holdsControl(after, (part) => isOwnControl(part) && !HEADING.test(part.tagName))
    );
  }

  /** Returns whether a link next to a panel leads to another place of the page, such as a footnote. */
  #leadsElsewhere({ tagName, attribs }: Element, panel: Element): boolean {
    const target = tagName === 'a' ? this.#panels.get(attribs['href']?.replace(/^#/, '') ?? '') : undefined;
    return target !== undefined && target !== panel;
  }

  /**
   * Converts buttons that open a panel to text, and puts the name of a tab into its panel. Otherwise, the
   * text would contain an answer without its question.
   * @param revealed panels of the page that were hidden at first
   */
  writeLabels(revealed: ReadonlySet<Element>): void {
    for (const button of this.#$('button').get()) {
      if (listParents(button, 3).some(({ tagName }) => HEADING.test(tagName))) button.tagName = 'span';
      else if (this.#opensText(button, revealed)) button.tagName = 'p';
    }
    const moved: Element[] = [];
    for (const [id, control] of this.#controls) {
      const panel = this.#panels.get(id);
      if (!panel || !isTab(control) || !holdsText(panel)) continue;
      this.#copyLabel(control, panel);
      moved.push(control);
    }
    removeElements(moved);
  }

  #opensText(button: Element, revealed: ReadonlySet<Element>): boolean {
    const panels = listReferences(button).map((id) => this.#panels.get(id));
    const next = findNeighbor(button, 'next');
    const isBeside =
      next &&
      (listWithin(next, MAX_DISTANCE + 1).some((part) => revealed.has(part)) ||
        button.attribs['aria-expanded'] !== undefined ||
        OPENING_NAMES.test(readNames(button)));
    return [...panels, ...(isBeside ? [next] : [])].some((panel) => panel && holdsText(panel));
  }

  #copyLabel(tab: Element, panel: Element): void {
    const name = new Element('p', {});
    setChildren(name, [new Text(this.#$(tab).text())]);
    setChildren(panel, [name, ...panel.children]);
  }
}

function listReferences({ tagName, attribs }: Element): string[] {
  const href = tagName === 'a' && attribs['href']?.startsWith('#') ? attribs['href'] : '';
  return [href, ...REFERENCES.map((name) => attribs[name] ?? '')]
    .flatMap((value) => value.split(/\s+/))
    .map((value) => value.replace(/^#/, ''))
    .filter(Boolean);
}

/**
 * Returns the nearest element with text on one side of an element, or of a parent that begins or ends with
 * the element.
 */
function findNeighbor(element: Element, side: 'prev' | 'next'): Element | undefined {
  for (const around of [element, ...listParents(element, MAX_DISTANCE)]) {
    for (let node = around[side]; node; node = node[side]) {
      if (node.type === 'text' && node.data.trim()) return undefined;
      if (isElement(node) && (hasText(node) || holdsControl(node, isControl))) return node;
    }
  }
  return undefined;
}

const hasText = (element: Element): boolean =>
  listWithin(element, PANEL_SAMPLE).some(({ children }) =>
    children.some((node) => node.type === 'text' && node.data.trim()),
  );

function holdsControl(element: Element, isMatch: (element: Element) => boolean): boolean {
  const parts = listWithin(element, MAX_CONTROL_SIZE + 1);
  return parts.length <= MAX_CONTROL_SIZE && parts.some(isMatch);
}

/**
 * Returns whether visitors can use an HTML element to open another element. Buttons of forms do not count,
 * since they send the form.
 */
function isControl(element: Element): boolean {
  const { tagName, attribs } = element;
  const { href } = attribs;
  if (attribs['aria-expanded'] !== undefined || /^(?:button|tab|switch)$/.test(attribs['role'] ?? ''))
    return true;
  if (tagName === 'button') {
    return attribs['type'] === 'button' || !listParents(element).some((parent) => parent.tagName === 'form');
  }
  if (tagName === 'a') return href === undefined || /^(?:#|javascript:)/i.test(href);
  if (tagName === 'label') return attribs['for'] !== undefined;
  return /^(?:h[2-6]|dt|summary|legend)$/.test(tagName) || attribs['onclick'] !== undefined;
}

const isTab = ({ attribs }: Element): boolean =>
  attribs['role'] === 'tab' ||
  /^(?:tab|pill)$/.test(attribs['data-bs-toggle'] ?? attribs['data-toggle'] ?? '');

/**
 * Returns whether an HTML element contains text. Lists of links count only in the main content; elsewhere
 * they are menus.
 */
export function holdsText(element: Element): boolean {
  let letters = 0;
  let linked = 0;
  for (const part of listWithin(element, PANEL_SAMPLE)) {
    if (part.tagName === 'nav') return false;
    const childLetters = part.children.reduce(
      (sum, node) => sum + (node.type === 'text' ? countLetters(node.data) : 0),
      0,
    );
    letters += childLetters;
    if (isLink(part) || (isElement(part.parent) && isLink(part.parent))) linked += childLetters;
  }
  if (letters === 0) return false;
  return linked <= letters / 2 || listParents(element).some(isMainContent);
}

const isMainContent = ({ tagName, attribs }: Element): boolean =>
  tagName === 'main' || tagName === 'article' || attribs['role'] === 'main';
