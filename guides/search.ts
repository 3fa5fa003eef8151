import MiniSearch from 'minisearch';

interface Section {
  address: string;
  page: string;
  heading: string;
  text: string;
}

const INDEX = '/docs/guides/search.json';
const MAX_RESULTS = 8;
const EXCERPT_LENGTH = 110;

/**
 * Adds a search box to `container` that searches all pages of the guides in the browser. `/` focuses it;
 * arrow keys and Enter open a result.
 */
export function addSearch(container: HTMLElement): void {
  const list = createElement('ul', { id: 'found', role: 'listbox', ariaLabel: 'Sections', hidden: true });
  const status = createElement('p', { role: 'status', className: 'status' });
  const input = createElement('input', {
    type: 'search',
    placeholder: 'Search  /',
    autocomplete: 'off',
    spellcheck: false,
    role: 'combobox',
    ariaLabel: 'Search the guides',
    ariaExpanded: 'false',
    ariaAutoComplete: 'list',
  });
  input.setAttribute('aria-controls', list.id);
  container.append(input, list, status);
  container.hidden = false;
  const box = new SearchBox(input, list, status);
  input.addEventListener('input', () => void box.search());
  input.addEventListener('focus', () => void box.search());
  input.addEventListener('keydown', (event) => box.press(event));
  container.addEventListener('focusout', ({ relatedTarget }) => {
    if (!container.contains(relatedTarget as Node | null)) box.close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement)
      return;
    event.preventDefault();
    input.focus();
  });
}

class SearchBox {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #status: HTMLElement;
  #index: Promise<MiniSearch<Section>> | undefined;
  #selected = -1;

  constructor(input: HTMLInputElement, list: HTMLElement, status: HTMLElement) {
    this.#input = input;
    this.#list = list;
    this.#status = status;
  }

  async search(): Promise<void> {
    const words = this.#input.value.trim();
    const loading = (this.#index ??= loadIndex());
    const index = await loading.catch(() => undefined);
    // Load the index again at the next input if loading it failed.
    if (index === undefined) this.#index = undefined;
    if (words !== this.#input.value.trim()) return;
    if (words === '') this.close();
    else if (index === undefined) this.#showStatus('The search cannot be loaded. Is the server running?');
    else this.#showResults(findSections(index, words), words);
  }

  press(event: KeyboardEvent): void {
    const options = [...this.#list.querySelectorAll('a')];
    if (event.key === 'Escape') this.close();
    else if (event.key === 'ArrowDown') this.#select(this.#selected + 1, options);
    else if (event.key === 'ArrowUp') this.#select(this.#selected - 1, options);
    else if (event.key === 'Enter') options[Math.max(this.#selected, 0)]?.click();
    else return;
    event.preventDefault();
  }

  close(): void {
    this.#list.replaceChildren();
    this.#showStatus('');
  }

  #showResults(sections: readonly Section[], words: string): void {
    this.#list.replaceChildren(...sections.map((section, index) => createResult(section, index, words)));
    this.#showStatus(sections.length === 0 ? `No results for “${words}”.` : '');
  }

  #showStatus(text: string): void {
    this.#status.textContent = text;
    this.#selected = -1;
    this.#input.removeAttribute('aria-activedescendant');
    const isOpen = this.#list.childElementCount > 0;
    this.#list.hidden = !isOpen;
    this.#input.ariaExpanded = String(isOpen);
  }

  /** Selects a search result in the list; continues at the other end after the last or before the first. */
  #select(index: number, options: readonly HTMLElement[]): void {
    if (options.length === 0) return;
    this.#selected = (index + options.length) % options.length;
    for (const [position, option] of options.entries())
      option.ariaSelected = String(position === this.#selected);
    const selected = options[this.#selected]!;
    selected.scrollIntoView({ block: 'nearest' });
    this.#input.setAttribute('aria-activedescendant', selected.id);
  }
}

async function loadIndex(): Promise<MiniSearch<Section>> {
  const response = await fetch(INDEX);
  const sections = (await response.json()) as Section[];
  const index = new MiniSearch<Section>({
    idField: 'address',
    fields: ['heading', 'page', 'text'],
    storeFields: ['address', 'heading', 'page', 'text'],
    searchOptions: { boost: { heading: 3, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  index.addAll(sections);
  return index;
}

/** Finds the sections of the guides that contain all words; if there are none, those that contain the most. */
function findSections(index: MiniSearch<Section>, words: string): Section[] {
  const all = index.search(words);
  const found = all.length > 0 ? all : index.search(words, { combineWith: 'OR' });
  return found.slice(0, MAX_RESULTS) as unknown as Section[];
}

function createResult({ address, page, heading, text }: Section, index: number, words: string): HTMLElement {
  const option = createElement('a', {
    id: `found-${index}`,
    role: 'option',
    ariaSelected: 'false',
    href: address,
    tabIndex: -1,
  });
  option.append(
    createElement('strong', { textContent: heading === page ? page : `${page} › ${heading}` }),
    createElement('span', { textContent: createExcerpt(text, words) }),
  );
  const item = createElement('li', { role: 'none' });
  item.append(option);
  return item;
}

/** Returns an excerpt of a section that starts shortly before the first search term. */
function createExcerpt(text: string, words: string): string {
  const [first = ''] = words.toLowerCase().split(/\s+/);
  const found = Math.max(text.toLowerCase().indexOf(first) - EXCERPT_LENGTH / 3, 0);
  const start = found === 0 ? 0 : text.indexOf(' ', found) + 1;
  return text.slice(start, start + EXCERPT_LENGTH);
}

function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}
