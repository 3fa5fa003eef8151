/**
 * Kinds of triggers that start a flow, with their labels. A trigger such as `keyword:price` starts with its
 * kind.
 */
export const triggerKinds = [
  ['', 'When another flow jumps to this one'],
  ['conversation_started', 'When a conversation starts'],
  ['first_message', "On the visitor's first message"],
  ['keyword', 'When a visitor uses certain words'],
  ['page', 'When the first message is sent from certain pages'],
  ['no_answer', 'When the bot finds no answer'],
] as const;

export type TriggerKind = (typeof triggerKinds)[number][0];

/** Splits a flow's trigger into its kind and the text after the colon. */
export function splitTrigger(trigger: string): { kind: TriggerKind; rest: string } {
  const [, name = '', rest = ''] = /^\s*(\w*)\s*(?::\s?(.*))?$/s.exec(trigger) ?? [];
  const kind = triggerKinds.find(([each]) => each === name)?.[0] ?? '';
  return { kind, rest };
}

export function buildTrigger(kind: TriggerKind, rest: string): string {
  return kind === 'keyword' || kind === 'page' ? `${kind}:${rest}` : kind;
}

/** Describes in words what triggers a flow. */
export function describeTrigger(trigger: string | null): string {
  const { kind, rest } = splitTrigger(trigger ?? '');
  if (kind === 'keyword') {
    const words = rest
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean);
    return `When a visitor says ${words.map((word) => `“${word}”`).join(' or ')}`;
  }
  if (kind === 'page') return `When the first message is sent from ${rest.trim()}`;
  return triggerKinds.find(([each]) => each === kind)![1];
}
