/**
 * Nouns that are removed from operation ids to get names of SDK methods, by tag of the OpenAPI document.
 * Contains the tags for which the noun cannot be derived. Longer nouns come first.
 */
const NOUNS_BY_TAG: Record<string, readonly string[]> = {
  versions: ['BotVersions', 'BotVersion'],
  directory: ['BotDirectory', 'WidgetDirectory'],
  knowledge: ['Documents', 'Document', 'Knowledge'],
  inbox: ['InboxItem', 'Inbox'],
  widget: ['Widget'],
  'test-sets': ['TestSets', 'TestSet', 'Test'],
  alerts: ['AlertPolicies', 'AlertPolicy', 'Alert'],
  encryption: ['EncryptionKey', 'Encryption'],
};

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Converts a name to camelCase: `api-keys` becomes `apiKeys`, `message.started` becomes `messageStarted`. */
export function camelCase(text: string): string {
  const [first = '', ...others] = text.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');
  return first.charAt(0).toLowerCase() + first.slice(1) + others.map(capitalize).join('');
}

export function pascalCase(text: string): string {
  return capitalize(camelCase(text));
}

/** Converts camelCase to snake_case: `getDownload` becomes `get_download`. */
export function snakeCase(text: string): string {
  return camelCase(text)
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace(/^_/, '');
}

function listNouns(tag: string): readonly string[] {
  const plural = pascalCase(tag);
  return NOUNS_BY_TAG[tag] ?? [plural, plural.replace(/s$/, '')];
}

/**
 * Removes the resource's noun from an operation id: `restoreBotVersion` becomes the method `restore` of the
 * resource `versions`. Widget operations in other resources keep their name, such as `listWidgetSlots`.
 */
export function toMethodName(operationId: string, tag: string): string {
  for (const noun of listNouns(tag)) {
    const name = operationId.replace(new RegExp(`(?<!^|Widget)${noun}(?![a-z])`), '');
    if (name !== operationId) return name;
  }
  return operationId;
}

/** Returns the name of the SDK method that streams the result of another method. */
export function toStreamingName(name: string): string {
  return `${name}Streaming`;
}
