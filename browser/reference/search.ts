import { h } from '../dom.ts';
import { loadDocument } from './open-api.ts';

interface Entry {
  item: HTMLElement;
  id: string;
  /** Id, path and summary of an operation in lower case, which the search looks through. */
  text: string;
  fields: readonly string[];
}

const MAX_SHOWN_FIELDS = 3;

/**
 * Adds the search of the API reference, which filters the menu by ids, paths, summaries and field names of
 * operations. `/` focuses the box; Enter opens the best match.
 */
export function addSearch(place: HTMLElement): void {
  const input = place.querySelector('input')!;
  const status = place.querySelector('p')!;
  let entries = listEntries();
  const search = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const count = entries.filter((entry) => filterEntry(entry, words)).length;
    for (const menu of document.querySelectorAll<HTMLElement>('.menu'))
      menu.hidden = menu.querySelector('li:not([hidden])') === null;
    status.textContent = words.length === 0 ? '' : `${count} operations`;
  };
  const loadFields = async (): Promise<void> => {
    if (entries.some(({ fields }) => fields.length > 0)) return;
    entries = await addFieldNames(entries);
    search();
  };
  input.addEventListener('focus', () => void loadFields());
  input.addEventListener('input', search);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') findBest(entries, input.value)?.item.querySelector('a')?.click();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping) return;
    event.preventDefault();
    place.closest('details')!.open = true;
    input.focus();
  });
  place.hidden = false;
}

function listEntries(): Entry[] {
  return [...document.querySelectorAll<HTMLElement>('.menu li')].map((item) => {
    const id = item.querySelector('code')!.textContent;
    const text = `${item.textContent} ${item.querySelector('a')!.title}`.toLowerCase();
    return { item, id, text, fields: [] };
  });
}

/**
 * Adds the names of operations' fields to the search, which only the OpenAPI documents contain. Without a
 * document, the search still finds other words.
 */
async function addFieldNames(entries: readonly Entry[]): Promise<Entry[]> {
  return Promise.all(
    entries.map(async (entry) => {
      const { dataset, parentElement } = document.getElementById(entry.id)!;
      const source = parentElement!.closest<HTMLElement>('.document')!.dataset['source']!;
      const api = await loadDocument(source).catch(() => undefined);
      if (!api) return entry;
      const operation = api.getOperation(dataset['path']!, dataset['method']!);
      return { ...entry, fields: [...api.listFieldNames(operation)].map((name) => name.toLowerCase()) };
    }),
  );
}

/**
 * Shows an API operation in the menu if it contains all words, with the fields that match, and hides any
 * other operation. Returns whether the operation is shown.
 */
function filterEntry({ item, text, fields }: Entry, words: readonly string[]): boolean {
  const isFound = words.every((word) => text.includes(word) || fields.some((field) => field.includes(word)));
  const found = fields.filter((field) => words.some((word) => !text.includes(word) && field.includes(word)));
  item.hidden = !isFound;
  item.querySelector('small')?.remove();
  if (isFound && found.length > 0)
    item.append(h('small', {}, `fields: ${found.slice(0, MAX_SHOWN_FIELDS).join(', ')}`));
  return isFound;
}

/** Returns the shown API operation whose id is the search text, or the first shown operation. */
function findBest(entries: readonly Entry[], query: string): Entry | undefined {
  const shown = entries.filter(({ item }) => !item.hidden);
  return shown.find(({ id }) => id.toLowerCase() === query.trim().toLowerCase()) ?? shown[0];
}
