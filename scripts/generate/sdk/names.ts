/** The things that a resource is about, by tag, where they are called otherwise than the tag. Longer ones come first. */
const nounsOfTag: Record<string, readonly string[]> = {
  versions: ['BotVersions', 'BotVersion'],
  directory: ['BotDirectory', 'WidgetDirectory'],
  knowledge: ['Documents', 'Document', 'Knowledge'],
  inbox: ['InboxItem', 'Inbox'],
  widget: ['Widget'],
  alerts: ['AlertPolicies', 'AlertPolicy', 'Alert'],
  encryption: ['EncryptionKey', 'Encryption'],
};

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `api-keys` or `message.started` as `apiKeys` and `messageStarted`. */
export function camelCase(text: string): string {
  const [first = '', ...others] = text.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');
  return first.charAt(0).toLowerCase() + first.slice(1) + others.map(capitalized).join('');
}

export function pascalCase(text: string): string {
  return capitalized(camelCase(text));
}

/** `getDownload` as `get_download`. */
export function snakeCase(text: string): string {
  return camelCase(text)
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace(/^_/, '');
}

function nounsOf(tag: string): readonly string[] {
  const plural = pascalCase(tag);
  return nounsOfTag[tag] ?? [plural, plural.replace(/s$/, '')];
}

/**
 * What a method is called in its resource: the id of the operation without the thing that the resource is about, so that
 * `restoreBotVersion` is `versions.restore`. What the widget calls elsewhere keeps its whole name, such as `listWidgetSlots`.
 */
export function methodName(operationId: string, tag: string): string {
  for (const noun of nounsOf(tag)) {
    const name = operationId.replace(new RegExp(`(?<!^|Widget)${noun}(?![a-z])`), '');
    if (name !== operationId) return name;
  }
  return operationId;
}

/** What the variant of a method is called that returns events while its answer is made. */
export function streamingName(name: string): string {
  return `${name}Streaming`;
}
