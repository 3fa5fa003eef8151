import { h } from '../dom.ts';

/** Renders a text in which backticks enclose code, as in the API's descriptions. */
export function renderText(text: string): (Node | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}
