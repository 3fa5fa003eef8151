const SCRIPTS = 'script[src*="widget.js"]';

/**
 * Finds the script element that loaded the widget, whose attributes are the widget's options. A module, and a
 * script that another script runs, is not `document.currentScript`.
 */
export function findOwnScript(): HTMLScriptElement | null {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement) return currentScript;
  return document.querySelector(`${SCRIPTS}[data-bot]`) ?? document.querySelector(SCRIPTS);
}

/** Returns whether the page also loads the widget of another bot. */
export function hasOtherBot(bot: string | undefined): boolean {
  for (const script of document.querySelectorAll<HTMLScriptElement>(`${SCRIPTS}[data-bot]`))
    if (script.dataset.bot !== bot) return true;
  return false;
}
