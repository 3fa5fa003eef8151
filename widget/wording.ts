import { ANONYMOUS } from './anonymous.ts';
import { findTranslation } from './languages.ts';
import { english, type Texts } from './texts.ts';

/** Milliseconds to wait for a translation. After this time, the widget starts in English. */
const LOADING_TIMEOUT_MS = 5000;

export interface Wording {
  language: string;
  texts: Texts;
}

/**
 * Loads the texts of the widget in the first of the wanted languages that has a translation. If that fails,
 * returns the English texts.
 * @param base URL of the API without a trailing slash
 * @param tags language tags, the preferred one first
 */
export async function loadWording(base: string, tags: readonly string[]): Promise<Wording> {
  const language = findTranslation(tags);
  const texts = language && (await fetchTexts(`${base}/widget/${language}.json`));
  return texts ? { language, texts: { ...english, ...texts } } : { language: 'en', texts: english };
}

async function fetchTexts(address: string): Promise<Partial<Texts> | null> {
  try {
    const response = await fetch(address, {
      ...ANONYMOUS,
      signal: AbortSignal.timeout(LOADING_TIMEOUT_MS),
    });
    return response.ok ? ((await response.json()) as Partial<Texts>) : null;
  } catch {
    return null;
  }
}
