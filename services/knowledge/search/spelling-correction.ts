import { compareErrors, findTypingError, isCorrectable } from '../../../core/answers/spelling.ts';
import { normalize, normalizeQuestion } from '../../../core/answers/terms.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ChunkSearchRepository } from '../../../repositories/knowledge/chunk-search.repository.ts';
import type { LexemeRow } from '../../../repositories/knowledge/chunk-search.sql.ts';
import { listVariants } from './spelling-variants.ts';

/**
 * Maximum number of misspelled words that are corrected in a question. Each has up to a thousand variants.
 */
const MAX_CORRECTED_WORDS = 3;
/** Minimum number of letters that a question's word and its lexeme have in common at the beginning. */
const MIN_SHARED_LETTERS = 3;
/** Maximum number of letters that a stemmer removes or changes at the end of most words. */
const MAX_ENDING = 3;

type Variant = Pick<LexemeRow, 'config' | 'lexeme' | 'chunkCount' | 'headingCount'>;

/**
 * Replaces misspelled words of a question with words of the bot's passages. Only words that the
 * passages contain in no language count as misspelled; names and codes do not.
 */
export async function correctSpelling(
  scope: OrgScope,
  chunks: Pick<ChunkSearchRepository, 'findVariants'>,
  { botId, query, rows }: { botId: string; query: string; rows: LexemeRow[] },
): Promise<LexemeRow[]> {
  const unknown = groupUnknownRows(query, rows).slice(0, MAX_CORRECTED_WORDS);
  if (unknown.length === 0) return rows;
  const corrected = new Map<LexemeRow, Variant>();
  // Starts the database queries together, so that they take one round trip.
  await Promise.all(
    unknown.map(async ({ word, rows: rowsOfWord }) => {
      const configs = rowsOfWord.map(({ config }) => config);
      const found = await chunks.findVariants(scope, botId, { configs, variants: listVariants(word) });
      for (const row of rowsOfWord) {
        const variant = chooseVariant(row, found);
        if (variant) corrected.set(row, variant);
      }
    }),
  );
  const known = new Set(rows.map(({ config, lexeme }) => `${config} ${lexeme}`));
  return rows.flatMap((row) => {
    const variant = corrected.get(row);
    if (!variant) return [row];
    return known.has(`${variant.config} ${variant.lexeme}`) ? [] : [{ ...row, ...variant }];
  });
}

/** Returns the words of a question that no chunk contains, each with its lexeme in each language. */
function groupUnknownRows(query: string, rows: readonly LexemeRow[]): { word: string; rows: LexemeRow[] }[] {
  const stemmed = rows.filter(({ config }) => config !== 'simple');
  if (stemmed.every(({ chunkCount }) => chunkCount > 0)) return [];
  const words =
    normalizeQuestion(query)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return [...new Set(words)]
    .filter(isCorrectable)
    .map((word) => ({ word, rows: stemmed.filter(({ lexeme }) => canBeStem(lexeme, word)) }))
    .filter(
      ({ rows: own }) => own.length > 0 && own.every(({ chunkCount, isName }) => chunkCount === 0 && !isName),
    );
}

/** Returns whether a lexeme may be the stem of a word. */
function canBeStem(lexeme: string, word: string): boolean {
  const [stem, whole] = [normalize(lexeme), normalize(word)];
  let shared = 0;
  while (shared < stem.length && stem[shared] === whole[shared]) shared += 1;
  return shared >= Math.max(MIN_SHARED_LETTERS, stem.length - 1, whole.length - 2 * MAX_ENDING);
}

/**
 * Returns the likeliest correct spelling of a misspelled word's lexeme: by the typing error, then by the
 * number of chunks.
 */
function chooseVariant({ config, lexeme }: LexemeRow, found: readonly Variant[]): Variant | undefined {
  const variants = found.filter((variant) => variant.config === config);
  return variants.toSorted((a, b) => compareVariants(lexeme, a, b))[0];
}

/**
 * Compares two spelling variants of a lexeme: a variant that differs in accents only is the likeliest, then
 * the likelier typing error counts.
 */
function compareVariants(lexeme: string, a: Variant, b: Variant): number {
  const byAccent = Number(isEqualWithoutAccents(lexeme, b)) - Number(isEqualWithoutAccents(lexeme, a));
  if (byAccent !== 0) return byAccent;
  const [first, second] = [a, b].map((variant) => findTypingError(lexeme, variant.lexeme));
  const byError =
    first && second ? compareErrors(first, second) : Number(Boolean(second)) - Number(Boolean(first));
  return byError || b.chunkCount - a.chunkCount || (a.lexeme < b.lexeme ? -1 : 1);
}

const isEqualWithoutAccents = (lexeme: string, variant: Variant) =>
  normalize(lexeme) === normalize(variant.lexeme);
