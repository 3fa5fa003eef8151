import type { CheerioAPI } from 'cheerio';
import type { ChildNode, Element } from 'domhandler';
import { isElement, listElements, measureText, removeElements, setChildren } from './page-tree.ts';

/** Matches notices that pages show to visitors without scripts. */
const SCRIPT_NOTICE = /java\s?script|\bs[ck]ripts?\b|\bcookies\b|\bbrowser\b/i;
/** Maximum letters of a `noscript` element that counts as a notice to visitors without scripts. */
const MAX_NOTICE = 400;
/**
 * Minimum letters outside links of a `noscript` element with content. With fewer, it is a link or a counter.
 */
const MIN_CONTENT = 20;
/** Maximum number of `noscript` elements of a page that are compared with its other content. */
const MAX_NOSCRIPTS = 100;

/**
 * Changes a page that was parsed without scripting to what a browser without scripts shows: declarative shadow roots
 * replace the children of their hosts, and `noscript` elements become their content.
 */
export function renderWithoutScripts($: CheerioAPI): void {
  removeElements($('script,style').get());
  for (const template of $('template').get()) {
    if (isElement(template.parent) && isShadowRoot(template)) attachShadowRoot(template.parent, template);
  }
  removeElements($('template').get());
  renderNoscripts($);
}

/** Returns whether a `<template>` element is a shadow root, by the attribute of current or older browsers. */
const isShadowRoot = ({ attribs }: Element): boolean =>
  /^(?:open|closed)$/i.test(attribs['shadowrootmode'] ?? attribs['shadowroot'] ?? '');

/**
 * Replaces the children of a shadow root's host element by the shadow tree, with those children in the tree's
 * slots.
 */
function attachShadowRoot(host: Element, template: Element): void {
  const bySlot = new Map<string, ChildNode[]>();
  for (const child of host.children.filter((node) => node !== template)) {
    const slot = readSlot(child);
    if (bySlot.has(slot)) bySlot.get(slot)!.push(child);
    else bySlot.set(slot, [child]);
  }
  setChildren(host, listTemplateContent(template));
  for (const slot of listSlots(host)) {
    const name = slot.attribs['name'] ?? '';
    const assigned = bySlot.get(name);
    if (assigned) setChildren(slot, assigned);
    // Show the children only in the first slot of a name; all other slots show their own content.
    bySlot.delete(name);
  }
}

/** Returns the content of a `<template>` element, which the parser puts below a root node of its own. */
const listTemplateContent = (template: Element): ChildNode[] =>
  template.children.flatMap((child) => (child.type === 'root' ? child.children : [child]));

const readSlot = (node: ChildNode): string => (isElement(node) ? (node.attribs['slot'] ?? '') : '');

function listSlots(host: Element): Element[] {
  const slots: Element[] = [];
  const pending = listElements(host).reverse();
  for (let element = pending.pop(); element; element = pending.pop()) {
    if (element.tagName === 'slot') slots.push(element);
    else pending.push(...listElements(element).reverse());
  }
  return slots;
}

function renderNoscripts($: CheerioAPI): void {
  removeElements($('noscript').find('iframe,img').get());
  const texts = $('noscript')
    .get()
    .map((element) => ({ element, text: squeeze($(element).text()) }))
    .filter(({ text }) => text.length >= MIN_CONTENT);
  const page = squeeze($('body').text());
  for (const { element, text } of texts.slice(0, MAX_NOSCRIPTS)) {
    const { letters, linked } = measureText(element);
    const isNotice = letters <= MAX_NOTICE && SCRIPT_NOTICE.test(text);
    const isCopy = page.indexOf(text) !== page.lastIndexOf(text);
    if (letters - linked >= MIN_CONTENT && !isNotice && !isCopy)
      $(element).replaceWith($(element).contents());
  }
  removeElements($('noscript').get());
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();
