import { h } from '../../browser/dom.ts';

export { h, createExternalLink as outwardLink, type Children } from '../../browser/dom.ts';

const SVG = 'http://www.w3.org/2000/svg';

const ICON_PATHS = {
  speech: 'M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8l-5 4v-4H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z',
  close: 'M6 6l12 12M18 6L6 18',
  chevron: 'M5 9l7 7 7-7',
  menu: 'M5 12h.01M12 12h.01M19 12h.01',
  copy: 'M9 9h10v12H9zM5 15V3h10',
  file: 'M6 2h8l5 5v15H6zM14 2v5h5',
  page: 'M3 12h18M12 3c6 6 6 12 0 18c-6-6-6-12 0-18zM12 3a9 9 0 1 0 .01 0',
  check: 'M5 12l5 5 9-10',
  stop: 'M7 7h10v10H7z',
  send: 'M4 12l16-8-6 16-3-7z',
  star: 'M12 3l2.7 5.8 6.3.8-4.6 4.3 1.2 6.3-5.6-3.1-5.6 3.1 1.2-6.3L3 9.6l6.3-.8z',
  thumb:
    'M7 22V11l4-9a3 3 0 0 1 3 3v4h5.7a2 2 0 0 1 2 2.3l-1.4 9a2 2 0 0 1-2 1.7zM7 22H4a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2h3',
} as const;

/** Creates a button element with a text. */
export function button(text: string, onPress: () => void, name = ''): HTMLButtonElement {
  return h('button', { type: 'button', class: name, dir: 'auto', onclick: onPress }, text);
}

/** Creates an icon element that screen readers ignore. */
export function icon(name: keyof typeof ICON_PATHS): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const attributes = {
    viewBox: '0 0 24 24',
    'aria-hidden': 'true',
    class: `icon icon-${name}`,
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICON_PATHS[name]);
  svg.append(path);
  return svg;
}

export function isShown(element: Element): boolean {
  return element.getClientRects().length > 0;
}
