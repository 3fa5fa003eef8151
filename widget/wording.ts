import { ANONYMOUS } from './anonymous.ts';
import { translationFor } from './languages.ts';
import { english, type Texts } from './texts.ts';

/** Nobody waits longer for the own language. */
const LOADING_MS = 5000;

export interface Wording {
  language: string;
  texts: Texts;
}

/**
 * The widget's words in the first language that they are there in; English where they cannot be loaded.
 * @param base address of the API without a slash at its end
 * @param wanted language tags
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
