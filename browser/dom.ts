type Attribute = string | number | boolean | null | undefined | ((event: never) => void);
type Child = Node | string | null | undefined | false;
export type Children = readonly (Child | readonly Child[])[];

/** Makes an element: `on…` attributes are listeners, `true` is an attribute without a value, and texts stay texts. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Attribute> = {},
  ...children: Children
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

/** Any number of children, where the arguments of a call are limited. */
export function append(parent: Element, children: Children): void {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) parent.append(child);
  }
}

/** A link that opens beside the page, which it learns nothing of. */
export function outwardLink(href: string, ...children: Children): HTMLAnchorElement {
  return h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, ...children);
}
