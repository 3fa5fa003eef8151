import { ANONYMOUS } from './anonymous.ts';
import { translationFor } from './languages.ts';
import { english, type Texts } from './texts.ts';

/** Timeout after which the widget starts in English. */
const LOADING_MS = 5000;

export interface Wording {
  language: string;
  texts: Texts;
}

/**
 * Loads the texts in the first supported language; English if they cannot be loaded.
 * @param base URL of the API without a trailing slash
 * @param wanted language tags, the preferred one first
 */
export async function loadWording(base: string, wanted: readonly string[]): Promise<Wording> {
  const language = translationFor(wanted);
  const texts = language && (await load(`${base}/widget/${language}.json`));
  return texts ? { language, texts: { ...english, ...texts } } : { language: 'en', texts: english };
}

async function load(address: string): Promise<Partial<Texts> | null> {
  try {
    const response = await fetch(address, {
      ...ANONYMOUS,
      signal: AbortSignal.timeout(LOADING_MS),
    });
    return response.ok ? ((await response.json()) as Partial<Texts>) : null;
  } catch {
    return null;
  }
}
