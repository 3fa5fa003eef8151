/** A path that the server serves, with its parameters in braces. */
export interface KnownPath {
  path: string;
  methods: readonly string[];
}

/** Finds up to three known paths that resemble the unknown path of a request. */
export type FindNearPaths = (method: string, path: string) => readonly string[];

const MAX_PATHS = 3;
/**
 * Maximum number of characters in a request's path to compare with known paths. Known paths are shorter, even
 * with their ids.
 */
const MAX_LENGTH = 300;

/** Segments that callers often add to or omit from the beginning of a path. */
const PREFIX = /^(api|ext|rest|v\d+)$/;

/** Segments that callers often write in a path, with the segments that the API uses. */
const synonyms: Readonly<Record<string, string>> = {
  assistant: 'bots',
  assistants: 'bots',
  chat: 'conversations',
  chats: 'conversations',
  document: 'knowledge',
  documents: 'knowledge',
  files: 'knowledge',
  keys: 'api-keys',
  organizations: 'orgs',
  sse: 'mcp',
  swagger: 'docs',
  tokens: 'api-keys',
  workspaces: 'orgs',
};

/**
 * Cost of a parameter in place of a literal segment when paths are compared, so that `/generate` is nearer
 * than `/{bot_id}`.
 */
const PARAMETER_COST = 0.5;
/** Cost of an omitted first segment when paths are compared, as in `/me` for `/auth/me`. */
const OMISSION_COST = 1.5;

/** Paths that callers look for but the API lacks, and what to call in their place. */
const replacements: readonly [RegExp, string][] = [
  [/^\/api\/webhooks\/([^/]+)\/deliveries$/, '/api/webhooks/deliveries?webhook_id=$1'],
  [/^\/mcp\/(sse|messages?|v1)$/, '/mcp'],
  [/^\/api\/(versions?)$/, '/api/meta/versions'],
  [/^\/status$/, '/api/health'],
  [/^\/docs\/([a-z]+[A-Z]\w*)$/, '/docs#$1'],
  [/^(\/api\/bots\/[^/]+)\/avatar$/, '$1/theme/avatar'],
  [/^\/api\/conversations\/([^/]+)\/repl(y|ies)$/, '/api/inbox/$1/reply'],
  [/^(\/api\/[^&]+)&(\w+=.*)$/, '$1?$2'],
  [/^\/(api\/)?webhook-events$/, '/api/webhooks/events'],
  [/^\/api\/public\/sessions$/, '/api/public/bots/{public_key}/sessions'],
  [/^\/(api\/)?(swagger\.json|swagger\/v1\/swagger\.json|openapi\.ya?ml)$/, '/openapi.json'],
  [/^(\/api\/(?!openapi)[a-z-]+)\.json$/, '$1'],
];

/** Matches a nonexistent path to which callers send a question to a bot. */
const QUESTION = /^\/api\/bots\/([^/]+)\/(ask|chat|messages?|completions|query|answers?)$/;

/** Matches the path of a document whose external id has an unencoded slash, and captures the id. */
const UNENCODED_ID = /^\/api\/ext\/bots\/[^/]+\/documents\/([^/]+\/.+)$/;

/** Advice for operations that callers expect but the API lacks, by method and path. */
const ALTERNATIVES: Readonly<Record<string, string>> = {
  'POST /api/contacts':
    'Contacts come from forms and identity tokens of visitors, and from imported archives.',
  'POST /api/conversations/{conversation_id}/messages':
    'Agents write with POST /api/inbox/{conversation_id}/reply, visitors with POST /api/public/sessions/{session_id}/messages.',
};

/**
 * Returns what to do in place of a method that a path does not support: an alternative, or the writes below the
 * path. Empty if the path itself has a write other than DELETE.
 * @param template path of the operations, with its parameters
 */
export function adviseOnMethod(method: string, template: string, known: readonly KnownPath[]): string {
  const alternative = ALTERNATIVES[`${method} ${template}`];
  if (alternative !== undefined) return ` ${alternative}`;
  const isWrite = ({ methods }: KnownPath) => methods.some((each) => /^(POST|PUT|PATCH)$/.test(each));
  if (!/^(POST|PUT|PATCH)$/.test(method) || known.some((each) => each.path === template && isWrite(each)))
    return '';
  const below = known.filter((each) => {
    const [, name] = each.path.startsWith(`${template}/`)
      ? (/^\/([\w-]+)$/.exec(each.path.slice(template.length)) ?? [])
      : [];
    return name !== undefined && isWrite(each);
  });
  const paths = [...new Set(below.map(({ path, methods }) => `${methods[0]} ${path}`))].slice(0, MAX_PATHS);
  return paths.length === 0 ? '' : ` See ${paths.join(', ')}.`;
}

/** Returns the correction of a path that contains a known mistake; undefined for any other path. */
export function explainPath(path: string): string | undefined {
  if (path.length > MAX_LENGTH) return undefined;
  const [, id] = UNENCODED_ID.exec(path) ?? [];
  if (id !== undefined) return `Write each slash of an external_id as %2F: ${id.replaceAll('/', '%2F')}.`;
  const [, bot] = QUESTION.exec(path) ?? [];
  if (bot !== undefined)
    return `To try the bot, use POST /api/bots/${bot}/playground. Visitors start with POST /api/public/bots/{public_key}/sessions.`;
  const found = replacements.find(([pattern]) => pattern.test(path));
  return found && `Did you mean ${path.replace(...found)}?`;
}

interface Candidate extends KnownPath {
  segments: readonly string[];
}

/** Prepares the search for the paths that resemble an unknown path. */
export function createNearPathFinder(known: readonly KnownPath[]): FindNearPaths {
  const candidates = known.map((each): Candidate => ({ ...each, segments: splitPath(each.path) }));
  return (method, path) => {
    if (path.length > MAX_LENGTH) return [];
    const typed = splitPath(path);
    if (typed.length === 0) return [];
    const near = candidates.flatMap(({ path: template, methods, segments }) => {
      const cost = measure(typed, segments);
      const filled = fillPath(template, typed, segments);
      return cost === undefined || filled === path
        ? []
        : [{ filled, cost, serves: methods.includes(method) }];
    });
    const nearest = Math.min(...near.map(({ cost }) => cost));
    const closest = near.filter(({ cost }) => cost === nearest);
    const serving = closest.filter(({ serves }) => serves);
    const suggestions = serving.length > 0 ? serving : closest;
    return [...new Set(suggestions.map(({ filled }) => filled))].slice(0, MAX_PATHS);
  };
}

/** Returns the segments of a path, except empty segments and prefixes such as `api` and `v1`. */
function splitPath(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  const first = segments.findIndex((segment) => !PREFIX.test(segment.toLowerCase()));
  return first === -1 ? [] : segments.slice(first);
}

/**
 * Returns how much the path of a request differs from a known path; undefined if the two do not resemble each
 * other.
 */
function measure(typed: readonly string[], known: readonly string[]): number | undefined {
  const omitted = known.length - typed.length;
  if (omitted < 0) return undefined;
  let total = omitted * OMISSION_COST;
  for (const [index, segment] of typed.entries()) {
    const cost = measureSegment(segment, known[omitted + index]!);
    if (cost === undefined || (omitted > 0 && cost >= 1)) return undefined;
    total += cost;
  }
  // A known path whose first remaining segment is a parameter would match any word.
  return omitted > 0 && isParameter(known[omitted]!) ? undefined : total;
}

function measureSegment(typed: string, known: string): number | undefined {
  if (isParameter(known)) return PARAMETER_COST;
  const word = typed.toLowerCase().replaceAll('_', '-');
  if (word === known || synonyms[word] === known) return 0;
  const edits = countEditsInOnePlace(word, known);
  return edits <= Math.max(1, Math.floor(word.length / 3)) ? edits : undefined;
}

/** Counts the different letters of two words: the letters between the common beginning and the common end. */
function countEditsInOnePlace(word: string, other: string): number {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  let end = 0;
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end += 1;
  return long.length - start - end;
}

/** Replaces the parameters of a known path by the segments that the caller wrote in their place. */
function fillPath(template: string, typed: readonly string[], known: readonly string[]): string {
  const omitted = known.length - typed.length;
  const values = known.flatMap((segment, index) =>
    isParameter(segment) ? [typed[index - omitted] ?? segment] : [],
  );
  return template.replaceAll(/\{\w+\}/g, () => values.shift()!);
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
