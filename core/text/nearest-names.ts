const MAX_NAMES = 3;
const MIN_WORD_LENGTH = 5;
/**
 * Field and value names of other APIs, without separators, with the names that Parley uses in their place.
 * The first known name counts.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  after: ['from'],
  before: ['to'],
  body: ['content', 'raw_text', 'message'],
  callbackurl: ['url'],
  content: ['raw_text', 'message'],
  domains: ['allowed_domains'],
  enabled: ['is_active', 'enabled'],
  end: ['to'],
  enddate: ['to'],
  endpoint: ['url'],
  endpointid: ['webhook_id'],
  eventtypes: ['events'],
  filter: ['q'],
  greeting: ['welcome_message'],
  input: ['content', 'message', 'query', 'question'],
  instructions: ['system_prompt'],
  jwt: ['identity_token'],
  k: ['limit', 'page_size'],
  keyword: ['q'],
  lang: ['language'],
  limit: ['page_size'],
  locale: ['language'],
  message: ['content', 'question'],
  messages: ['content', 'message'],
  offset: ['cursor'],
  pagesize: ['limit'],
  perpage: ['page_size', 'limit'],
  prompt: ['system_prompt', 'content', 'message', 'query', 'question'],
  q: ['query'],
  query: ['q', 'content', 'message', 'question'],
  question: ['content', 'message', 'query'],
  search: ['q'],
  since: ['from'],
  start: ['from'],
  startdate: ['from'],
  targeturl: ['url'],
  term: ['q'],
  text: ['q', 'content', 'raw_text', 'message', 'question'],
  topics: ['events'],
  topk: ['limit'],
  type: ['source_type', 'event'],
  until: ['to'],
  userid: ['visitor_id'],
  webhookurl: ['url'],
};
/**
 * Maximum number of characters in a caller's name to compare with known names, because the comparison takes
 * quadratic time.
 */
const MAX_LENGTH = 40;

/**
 * Finds the known names that a mistyped name may mean: the names that differ least, or, if none is similar,
 * the names that contain its words, or a synonym. For example, `prompt` finds `system_prompt`.
 */
export function findNearestNames(typed: string, names: readonly string[]): readonly string[] {
  const word = joinWords(typed);
  if (word === '' || typed.length > MAX_LENGTH) return [];
  // Allow a third of the letters to differ, so that short names do not match unrelated names.
  const tolerance = Math.max(1, Math.floor(word.length / 3));
  const distances = names.map(joinWords).map((name) =>
    // Skip names that differ too much in length, since each missing letter is an edit.
    Math.abs(name.length - word.length) > tolerance ? Infinity : countEdits(word, name, tolerance),
  );
  const nearest = Math.min(...distances);
  const found =
    nearest <= tolerance
      ? names.filter((_, index) => distances[index] === nearest)
      : names.filter((name) => `_${name}_`.includes(`_${typed.toLowerCase()}_`) || hasNearWord(name, word));
  if (found.length > 0) return found.slice(0, MAX_NAMES);
  const synonyms = Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word]! : [];
  return synonyms.filter((name) => names.includes(name)).slice(0, 1);
}

/**
 * Returns ` (did you mean a or b?)` with the known names nearest to a mistyped name; empty if no name is
 * near.
 */
export function suggestNames(typed: string, names: readonly string[]): string {
  const near = findNearestNames(typed, names);
  return near.length === 0 ? '' : ` (did you mean ${near.join(' or ')}?)`;
}

/**
 * Returns whether a word of a known name differs from the typed word in one letter at most. Short words have
 * no match, since they would match by chance.
 */
function hasNearWord(name: string, word: string): boolean {
  return (
    word.length >= MIN_WORD_LENGTH &&
    name.split('_').some((each) => Math.abs(each.length - word.length) <= 1 && countEdits(word, each, 1) <= 1)
  );
}

/** Returns the name in small letters without separators, so that its snake case, kebab case and camel case are equal. */
function joinWords(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/**
 * Counts the letters to insert, delete, replace or swap with their neighbor to turn one word into another.
 * Returns Infinity as soon as the count exceeds `max`, since a body may have a hundred unknown names.
 */
function countEdits(from: string, to: string, max: number): number {
  let beforeLast: number[] = [];
  let last = [0];
  let leastOfLast = 0;
  for (let column = 1; column <= to.length; column += 1) last.push(column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= to.length; column += 1) {
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const edits = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? beforeLast[column - 2]! + 1 : Infinity,
      );
      current[column] = edits;
      least = Math.min(least, edits);
    }
    // Check two rows, because a swap continues from the row before the last.
    if (least > max && leastOfLast > max) return Infinity;
    leastOfLast = least;
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}
