type Attribute = string | number | boolean | null | undefined | ((event: never) => void);
type Child = Node | string | null | undefined | false;
export type Children = readonly (Child | readonly Child[])[];

/**
 * Creates an HTML element. `on…` attributes are listeners, `true` sets an attribute without a value, and
 * strings become text nodes.
 */
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

/**
 * Appends children to an HTML element one by one: the number of arguments of a call to `append` is limited.
 */
export function append(parent: Element, children: Children): void {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) parent.append(child);
  }
}

/** Creates a link that opens in a new tab without access to this page. */
export function createExternalLink(href: string, ...children: Children): HTMLAnchorElement {
  return h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, ...children);
}
