import type { Embedder, Vector } from '../../adapters/embedding/embedder.ts';
import { multiplyVectors } from '../../adapters/embedding/model-scale.ts';

const PIECE_CHARACTERS = 1000;
const never = new AbortController().signal;

/**
 * Returns the simplest search by meaning, as a baseline: the same embedding model over pieces of 1,000
 * characters, sorted by cosine. Returns every page, best first.
 */
export async function createBaseline(
  texts: ReadonlyMap<string, string>,
  embedder: Embedder,
): Promise<(question: string) => Promise<string[]>> {
  const pieces: { page: string; vector: Vector }[] = [];
  for (const [page, text] of texts)
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      const piece = { context: '', text: text.slice(at, at + PIECE_CHARACTERS) };
      const [windows = []] = await embedder.embedPassages([piece], never);
      pieces.push(...windows.map((vector) => ({ page, vector })));
    }
  return async (question) => {
    const questionVector = await embedder.embedQuestion(question, never);
    const found = pieces
      .map(({ page, vector }) => ({ page, cosine: multiplyVectors(questionVector, vector) }))
      .sort((a, b) => b.cosine - a.cosine);
    return [...new Set(found.map(({ page }) => page))];
  };
}
