import { toSafeLink } from '../../browser/safe-link.ts';
import { h, outwardLink } from '../ui/dom.ts';
import { createSheet } from '../ui/sheet.ts';
import type { DirectoryModule } from './contract.ts';

export const showDirectory: DirectoryModule['showDirectory'] = (sheet, options) => {
  const { directory, texts, onBook, resolveChoice, describeError, onDone } = options;
  const { category_label: categoryLabel, choice_label: choiceLabel, entries } = directory;
  const categories = [...new Set(entries.map(({ category }) => category))];
  const isCategorized = categories.some((category) => category !== '');
  const createOptions = (names: string[]) => [
    h('option', { value: '' }, texts.choose),
    ...names.map((name) => h('option', { value: name }, name === '' ? '–' : name)),
  ];
  let requestCount = 0;
  const result = h('p', { role: 'status' });
  const choice = h('select', { id: 'directory-choice', onchange: () => void showLink() });
  const category = h(
    'select',
    { id: 'directory-category', onchange: () => showChoices() },
    createOptions(categories),
  );
  const showChoices = () => {
    requestCount += 1;
    const names = entries.filter((entry) => entry.category === selectedCategory()).map(({ name }) => name);
    choice.replaceChildren(...createOptions(names));
    choice.disabled = isCategorized && category.selectedIndex === 0;
    result.replaceChildren();
  };
  const selectedCategory = () => (isCategorized ? category.value : '');
  const showLink = async () => {
    result.replaceChildren();
    const request = (requestCount += 1);
    if (choice.selectedIndex === 0) return;
    const content = await loadLink(selectedCategory(), choice.value);
    if (request === requestCount) result.append(content);
  };
  const loadLink = async (categoryName: string, name: string): Promise<Node | string> => {
    try {
      const { choice: title, link } = await resolveChoice(categoryName, name);
      const href = toSafeLink(link);
      if (!href) return texts.noLink;
      const anchor = outwardLink(href, title);
      anchor.onclick = () => onBook?.({ category: categoryName, choice: name, link: href }) !== true;
      return anchor;
    } catch (error) {
      const isGone = (error as { code?: string } | null)?.code === 'not_found';
      return isGone ? texts.noChoice : describeError(error, texts);
    }
  };
  const createField = (select: HTMLSelectElement, text: string) =>
    h('div', { class: 'field' }, h('label', { for: select.id }, text), select);
  showChoices();
  const hadFocus = sheet.matches(':focus-within');
  const filled = createSheet(
    choiceLabel,
    [isCategorized && createField(category, categoryLabel), createField(choice, choiceLabel), result],
    [[texts.cancel, onDone]],
  );
  sheet.replaceWith(filled);
  if (hadFocus) filled.querySelector('h2')?.focus();
};
