import type { ApiError } from '../errors.ts';

/** Commands that list the ids of a kind of resource, by the name of the kind in error messages of the API. */
const LISTS: Readonly<Record<string, string>> = {
  bot: 'parley bots list',
  conversation: 'parley conversations list',
  delivery: 'parley webhooks deliveries',
  document: 'parley knowledge list <bot_id>',
  flow: 'parley api listFlows',
  'test set': 'parley test-sets list <bot_id>',
  version: 'parley api listBotVersions <bot_id>',
  webhook: 'parley webhooks list',
};

/**
 * Returns a sentence with the command or option that helps against an error of the API; empty if nothing
 * helps.
 */
export function suggestRemedy({ code, message }: ApiError): string {
  const [, name = ''] =
    /^There is no such ([\w ]+)\.$/.exec(message) ?? /^(\w+)_id must be a UUID\b/.exec(message) ?? [];
  const resource = name.replaceAll('_', ' ');
  if (Object.hasOwn(LISTS, resource)) return ` See ${LISTS[resource]}.`;
  if (message === '(body) is required') return ' Add --body <json | @file | ->.';
  const isForm = code === 'unsupported_media_type' && message.includes('multipart/form-data');
  return isForm ? ' Add --file <file>.' : '';
}
