import { addCopyButtons } from './copy-buttons.ts';
import { addSearch } from './search.ts';

const NARROW = '(max-width: 800px)';

if (matchMedia(NARROW).matches) document.querySelector('nav.pages details')?.removeAttribute('open');
addCopyButtons();
addSearch(document.querySelector('search')!);
