import { button, h, type Children } from './dom.ts';

/** Creates a sheet, which covers the lower part of the conversation. */
export function createSheet(
  title: string,
  content: Children,
  buttons: [text: string, onPress: () => void][],
): HTMLElement {
  return h(
    'section',
    { class: 'sheet', 'aria-label': title },
    h('h2', { tabindex: -1 }, title),
    ...content,
    h(
      'div',
      { class: 'buttons' },
      buttons.map(([text, onPress]) => button(text, onPress)),
    ),
  );
}
