import MiniSearch from 'minisearch';

interface Section {
  address: string;
  page: string;
  heading: string;
  text: string;
}

const INDEX = '/docs/guides/search.json';
const SHOWN = 8;
const EXCERPT_LENGTH = 110;

/** Adds a box that searches all pages in this browser. `/` focuses it; arrow keys and Enter open a result. */
export function addSearch(place: HTMLElement): void {
  const list = element('ul', { id: 'found', role: 'listbox', ariaLabel: 'Sections', hidden: true });
  const status = element('p', { role: 'status', className: 'status' });
  const input = element('input', {
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
  place.append(input, list, status);
  place.hidden = false;
  const box = new SearchBox(input, list, status);
  input.addEventListener('input', () => void box.look());
  input.addEventListener('focus', () => void box.look());
  input.addEventListener('keydown', (event) => box.press(event));
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (!place.contains(relatedTarget as Node | null)) box.close();
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
  #chosen = -1;

  constructor(input: HTMLInputElement, list: HTMLElement, status: HTMLElement) {
    this.#input = input;
    this.#list = list;
    this.#status = status;
  }

  async look(): Promise<void> {
    const words = this.#input.value.trim();
    const loading = (this.#index ??= loadIndex());
    const index = await loading.catch(() => undefined);
    // A failed index is loaded again with the next letter.
    if (index === undefined) this.#index = undefined;
    if (words !== this.#input.value.trim()) return;
    if (words === '') this.close();
    else if (index === undefined) this.#say('The search cannot be loaded; is the server there?');
    else this.#show(index.search(words).slice(0, SHOWN) as unknown as Section[], words);
  }

  press(event: KeyboardEvent): void {
    const options = [...this.#list.querySelectorAll('a')];
    if (event.key === 'Escape') this.close();
    else if (event.key === 'ArrowDown') this.#choose(this.#chosen + 1, options);
    else if (event.key === 'ArrowUp') this.#choose(this.#chosen - 1, options);
    else if (event.key === 'Enter') options[Math.max(this.#chosen, 0)]?.click();
    else return;
    event.preventDefault();
  }

  close(): void {
    this.#list.replaceChildren();
    this.#say('');
  }

  #show(sections: readonly Section[], words: string): void {
    this.#list.replaceChildren(...sections.map((section, index) => itemOf(section, index, words)));
    this.#say(sections.length === 0 ? `Nothing is found for “${words}”.` : '');
  }

  #say(text: string): void {
    this.#status.textContent = text;
    this.#chosen = -1;
    this.#input.removeAttribute('aria-activedescendant');
    const isOpen = this.#list.childElementCount > 0;
    this.#list.hidden = !isOpen;
    this.#input.ariaExpanded = String(isOpen);
  }

  /** Selects an option; wraps around at both ends. */
  #choose(index: number, options: readonly HTMLElement[]): void {
    if (options.length === 0) return;
    this.#chosen = (index + options.length) % options.length;
    for (const [position, option] of options.entries())
      option.ariaSelected = String(position === this.#chosen);
    const chosen = options[this.#chosen]!;
    chosen.scrollIntoView({ block: 'nearest' });
    this.#input.setAttribute('aria-activedescendant', chosen.id);
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

function itemOf({ address, page, heading, text }: Section, index: number, words: string): HTMLElement {
  const option = element('a', {
    id: `found-${index}`,
    role: 'option',
    ariaSelected: 'false',
    href: address,
    tabIndex: -1,
  });
  option.append(
    element('strong', { textContent: heading === page ? page : `${page} › ${heading}` }),
    element('span', { textContent: excerptOf(text, words) }),
  );
  const item = element('li', { role: 'none' });
  item.append(option);
  return item;
}

/** Returns an excerpt that starts shortly before the first search term. */
function excerptOf(text: string, words: string): string {
  const [first = ''] = words.toLowerCase().split(/\s+/);
  const found = Math.max(text.toLowerCase().indexOf(first) - EXCERPT_LENGTH / 3, 0);
  const start = found === 0 ? 0 : text.indexOf(' ', found) + 1;
  return text.slice(start, start + EXCERPT_LENGTH);
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}
