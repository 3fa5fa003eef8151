import { h } from '../dom.ts';
import { loadDocument } from './open-api.ts';
import { renderOperation } from './operation-view.ts';
import { addSearch } from './search.ts';
import { addThemeButton } from './theme.ts';

const NARROW = '(max-width: 800px)';
/** Matches the fragment of links to the API reference of earlier releases: `#/bots/createBot`. */
const EARLIER_LINK = /^#\/[\w-]+\/(\w+)$/;

const menu = document.querySelector('nav details')!;
if (matchMedia(NARROW).matches) menu.removeAttribute('open');
for (const element of document.querySelectorAll<HTMLDetailsElement>('.operation'))
  element.addEventListener('toggle', () => void fill(element));
addSearch(document.querySelector('search')!);
addThemeButton(document.querySelector('#reference-theme')!);
document.querySelector<HTMLElement>('.key')!.hidden = false;
menu.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('a') === null) return;
  if (matchMedia(NARROW).matches) menu.removeAttribute('open');
  // A click on a link to the current fragment does not change the URL, so it triggers no `hashchange` event.
  openLinked();
});
window.addEventListener('hashchange', openLinked);
openLinked();

/** Opens the operation of the API reference that the URL's fragment names. */
function openLinked(): void {
  const [, earlier] = EARLIER_LINK.exec(location.hash) ?? [];
  if (earlier !== undefined) return location.replace(`#${earlier}`);
  const linked = document.getElementById(location.hash.slice(1));
  if (!(linked instanceof HTMLDetailsElement)) return;
  linked.open = true;
  linked.scrollIntoView();
}

/**
 * Adds the content of an operation when a reader first opens it. Opening the operation again after a failure
 * repeats the load.
 */
async function fill(element: HTMLDetailsElement): Promise<void> {
  if (!element.open || element.dataset['filled'] !== undefined) return;
  element.dataset['filled'] = '';
  element.querySelector('[role=alert]')?.remove();
  try {
    const source = element.closest<HTMLElement>('.document')!.dataset['source']!;
    renderOperation(element, await loadDocument(source));
  } catch (error) {
    delete element.dataset['filled'];
    element.append(h('p', { role: 'alert' }, `The fields cannot be loaded: ${String(error)}`));
  }
}
