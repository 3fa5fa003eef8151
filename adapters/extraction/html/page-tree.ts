import type { AnyNode, ChildNode, Element, ParentNode } from 'domhandler';

/** Numbers of letters of an HTML element and its descendants. */
export interface TextMeasure {
  letters: number;
  /** Number of the element's letters inside links. */
  linked: number;
}

/** Names of HTML elements within a line of text. All other elements, and line breaks, begin a line. */
const INLINE = new Set(
  'a,abbr,b,bdi,bdo,big,cite,code,data,del,dfn,em,font,i,img,ins,kbd,label,mark,q,s,samp,small,span,strike,strong,sub,sup,time,tt,u,var,wbr'.split(
    ',',
  ),
);

export const isBlock = ({ tagName }: Element): boolean => !INLINE.has(tagName);
export const isElement = (node: AnyNode | null | undefined): node is Element => node?.type === 'tag';
export const listElements = (element: Element): Element[] => element.children.filter(isElement);
export const countLetters = (text: string): number => text.replace(/[^\p{L}\p{N}]+/gu, '').length;
export const isLink = ({ tagName, attribs }: Element): boolean =>
  tagName === 'a' && attribs['href'] !== undefined;

/** Counts the letters and digits of an HTML element, and those inside links. */
export function measureText(element: Element): TextMeasure {
  return measureTree(element).get(element)!;
}

/**
 * Counts the letters and digits of an HTML element and of each of its descendants, and those inside links.
 */
export function measureTree(
  element: Element,
  measures = new Map<Element, TextMeasure>(),
): Map<Element, TextMeasure> {
  const total: TextMeasure = { letters: 0, linked: 0 };
  for (const child of element.children) {
    if (child.type === 'text') total.letters += countLetters(child.data);
    if (!isElement(child)) continue;
    const part = measureTree(child, measures).get(child)!;
    total.letters += part.letters;
    total.linked += part.linked;
  }
  if (isLink(element)) total.linked = total.letters;
  return measures.set(element, total);
}

/**
 * Returns the words of an HTML element's classes and id in lower case, between spaces: ` post comments list
 * `.
 */
export function readNames({ attribs }: Element): string {
  const names = `${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`.slice(0, 1000);
  const words = names.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').split(/[^\p{L}\p{N}]+/u);
  return ` ${words.filter(Boolean).join(' ').toLowerCase()} `;
}

export const isHeading = ({ tagName }: Element): boolean => /^h[1-6]$/.test(tagName);

/** Returns the elements around an HTML element, innermost first. */
export function listParents(element: Element, limit = Infinity): Element[] {
  const parents: Element[] = [];
  for (let parent = element.parent; isElement(parent) && parents.length < limit; parent = parent.parent) {
    parents.push(parent);
  }
  return parents;
}

/** Returns all elements around any of the given HTML elements, in time linear in the size of the page. */
export function listAllParents(elements: readonly Element[]): Set<Element> {
  const parents = new Set<Element>();
  for (const element of elements) {
    for (let parent = element.parent; isElement(parent) && !parents.has(parent); parent = parent.parent) {
      parents.add(parent);
    }
  }
  return parents;
}

/** Returns the nearest sibling of an HTML element in one direction. Ignores text in between. */
export function findSibling(element: Element, side: 'prev' | 'next'): Element | undefined {
  let node = element[side];
  while (node && !isElement(node)) node = node[side];
  return node ?? undefined;
}

/** Maximum number of nodes in which the beginning of an HTML element's text is searched. */
const MAX_START_NODES = 200;

/**
 * Returns the beginning of an HTML element's text: its first texts up to about `length` characters, in one
 * line.
 */
export function readStart(element: Element, length: number): string {
  const texts: string[] = [];
  const pending: AnyNode[] = [element];
  let missingLetters = length;
  for (
    let remaining = MAX_START_NODES, node = pending.pop();
    node && remaining > 0 && missingLetters > 0;
    remaining -= 1
  ) {
    if (node.type === 'text') {
      texts.push(node.data.slice(0, 1000));
      missingLetters -= node.data.trim().length;
    } else if (isElement(node)) {
      if (isBlock(node)) texts.push(' ');
      pending.push(...node.children.slice(0, MAX_START_NODES).reverse());
    }
    node = pending.pop();
  }
  return texts.join('').replaceAll(/\s+/g, ' ').trim();
}

/** Returns the nearest heading before an HTML element among its siblings, at most `limit` siblings away. */
export function findHeadingAbove(element: Element, limit: number): Element | undefined {
  let sibling = findSibling(element, 'prev');
  for (let remaining = limit; sibling && remaining > 0 && !isHeading(sibling); remaining -= 1) {
    sibling = findSibling(sibling, 'prev');
  }
  return sibling && isHeading(sibling) ? sibling : undefined;
}

/** Returns an HTML element and its descendants in document order, at most `limit` elements. */
export function listWithin(element: Element, limit: number): Element[] {
  const elements: Element[] = [];
  const pending = [element];
  for (let next = pending.pop(); next && elements.length < limit; next = pending.pop()) {
    elements.push(next);
    // Add the children one by one: passing all children as arguments would overflow the stack.
    for (const child of listElements(next).reverse()) pending.push(child);
  }
  return elements;
}

/** Replaces all children of an HTML node at once. Moving children one by one takes quadratic time. */
export function setChildren(parent: ParentNode, children: readonly ChildNode[]): void {
  parent.children = [...children];
  for (const [index, child] of children.entries()) {
    child.parent = parent;
    child.prev = children[index - 1] ?? null;
    child.next = children[index + 1] ?? null;
  }
}

/**
 * Removes HTML elements from their parents. Removing elements one by one takes quadratic time for many
 * siblings.
 */
export function removeElements(elements: Iterable<AnyNode>): void {
  const removed = new Set<AnyNode>(elements);
  const parents = new Set([...removed].map(({ parent }) => parent));
  for (const parent of parents) {
    if (!parent) continue;
    const rest = parent.children.filter((child) => !removed.has(child));
    setChildren(parent, rest);
  }
  for (const element of removed) element.parent = element.prev = element.next = null;
}
