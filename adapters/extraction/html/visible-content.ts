import type { CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';
import { revealCollapsed } from './collapsed-content.ts';
import { removeConcealedText } from './concealed-text.ts';
import { renderWithoutScripts } from './rendered-tree.ts';
import { listHiddenByRules } from './style-rules.ts';

/**
 * Selects the scripts of a page, and attributes that contain scripts. Script elements with data, such as
 * JSON-LD, do not count.
 */
const SCRIPTS = 'script:not([type*=json]),[onload],[onclick],[onmouseover]';
const STYLE_SHEETS = 'style,link[rel~=stylesheet]';

/**
 * Changes a page that was parsed without scripting to what its visitors can see or open. Texts for screen readers
 * stay: they are written for people.
 */
export function keepVisibleContent($: CheerioAPI): void {
  const hasScripts = $(SCRIPTS).length > 0;
  const hasStyles = hasScripts || $(STYLE_SHEETS).length > 0;
  const hiddenByRules = hasScripts ? new Set<Element>() : listHiddenByRules($);
  renderWithoutScripts($);
  revealCollapsed($, { hasScripts, hiddenByRules });
  removeConcealedText($, hasStyles);
}
