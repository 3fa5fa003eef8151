import { toSafeLink } from '../../browser/safe-link.ts';
import { ApiError, type WidgetConfig } from '../session/api-client.ts';
import { failureText } from '../session/failure-text.ts';
import { h, outwardLink } from './dom.ts';
import { sheet } from './sheet.ts';
import type { View } from './view.ts';

type Directory = NonNullable<WidgetConfig['directory']>;

/** Creates a sheet in which a category and a choice lead to a link. */
export function directoryPicker(view: View, directory: Directory, done: () => void): HTMLElement {
  const { chat, texts, onBook } = view;
  const { category_label: categoryLabel, choice_label: choiceLabel, entries } = directory;
  const categories = [...new Set(entries.map(({ category }) => category))];
  const isCategorized = categories.some((category) => category !== '');
  const options = (names: string[]) => [
    h('option', { value: '' }, texts.choose),
    ...names.map((name) => h('option', { value: name }, name === '' ? '–' : name)),
  ];
  let asked = 0;
  const result = h('p', { role: 'status' });
  const choice = h('select', { id: 'directory-choice', onchange: () => void show() });
  const category = h('select', { id: 'directory-category', onchange: () => offer() }, options(categories));
  const offer = () => {
    asked += 1;
    const names = entries.filter((entry) => entry.category === chosen()).map(({ name }) => name);
    choice.replaceChildren(...options(names));
    choice.disabled = isCategorized && category.selectedIndex === 0;
    result.replaceChildren();
  };
  const chosen = () => (isCategorized ? category.value : '');
  const show = async () => {
    result.replaceChildren();
    const own = (asked += 1);
    if (choice.selectedIndex === 0) return;
    const answer = await linkOf(chosen(), choice.value);
    if (own === asked) result.append(answer);
  };
  const linkOf = async (ofCategory: string, name: string): Promise<Node | string> => {
    try {
      const { choice: title, link } = await chat.resolve(ofCategory, name);
      const href = toSafeLink(link);
      if (!href) return texts.noLink;
      const anchor = outwardLink(href, title);
      anchor.onclick = () => onBook?.({ category: ofCategory, choice: name, link: href }) !== true;
      return anchor;
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === 'not_found';
      return isGone ? texts.noChoice : failureText(error, texts);
    }
  };
  const field = (select: HTMLSelectElement, text: string) =>
    h('div', { class: 'field' }, h('label', { for: select.id }, text), select);
  offer();
  return sheet(
    choiceLabel,
    [isCategorized && field(category, categoryLabel), field(choice, choiceLabel), result],
    [[texts.cancel, done]],
  );
}
