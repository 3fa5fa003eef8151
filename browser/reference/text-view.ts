import { h } from '../dom.ts';

/** Renders text in which backticks enclose code, as in descriptions of the API. */
export function renderText(text: string): (Node | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}
