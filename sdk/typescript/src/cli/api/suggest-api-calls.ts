import { listPathValues, operationList } from './operation-list.ts';

const MAX_CALLS = 3;

/** Verbs that users may write in commands, with the verbs with which ids of API operations begin. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  add: ['create', 'add'],
  create: ['create', 'add'],
  delete: ['delete', 'revoke', 'erase', 'remove'],
  edit: ['update'],
  get: ['get'],
  list: ['list'],
  ls: ['list'],
  new: ['create'],
  remove: ['delete', 'revoke', 'erase', 'remove'],
  rm: ['delete', 'revoke', 'erase', 'remove'],
  set: ['update'],
  show: ['get'],
  update: ['update'],
};

/**
 * Names the calls of `parley api` that do what a nonexistent command seems to do. For `webhooks delete`,
 * names `parley api deleteWebhook <id>`. Empty if no such call exists.
 */
export function suggestApiCalls(group: string, verb: string): readonly string[] {
  const noun = group === 'knowledge' ? 'Document' : toNoun(group);
  const verbs = Object.hasOwn(VERBS, verb) ? VERBS[verb]! : [verb];
  const beginnings = verbs.map((each) => each + noun);
  const rest = (id: string) => beginnings.map((each) => (id.startsWith(each) ? id.slice(each.length) : null));
  return operationList
    .filter(({ id }) => noun !== '' && rest(id).some((end) => end !== null && /^(s$|[A-Z]|$)/.test(end)))
    .sort((one, other) => one.id.length - other.id.length)
    .slice(0, MAX_CALLS)
    .map(({ id, path }) => ['parley api', id, ...listPathValues(path)].join(' '));
}

/**
 * Converts the first word of a command to the noun in ids of API operations: `test-sets` becomes `TestSet`.
 */
function toNoun(group: string): string {
  return group
    .replace(/s$/, '')
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
