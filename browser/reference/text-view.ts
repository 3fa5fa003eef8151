import { h } from '../dom.ts';

/** Renders text with code in backticks, as descriptions of the API have it. */
export function renderText(text: string): (Node | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}
