import { plainLine, type MessageContent } from '../../../adapters/messaging/message-content.ts';
import type { Language } from '../../../core/languages.ts';
import type { ConnectedWorkspace } from '../channels/alert-connection-service.ts';
import { messageWords } from './message-words.ts';
import { shownName } from './shown-text.ts';

/** Composes the code message, which proves that the policy's author can read the destination. */
export function codeContent(language: Language, code: string, minutes: number): MessageContent {
  const { code: before, codeNote } = messageWords[language];
  return {
    language,
    code,
    lines: [[{ text: before }, { text: code, isBold: true }], plainLine(codeNote(minutes))],
  };
}

/** Composes the reply to a chat that was connected to a workspace. */
export function connectedText({ name, language }: ConnectedWorkspace): string {
  return messageWords[language].connected(shownName(name));
}

/**
 * Composes a test message.
 * @param label label of the policy
 */
export function testContent(language: Language, label: string): MessageContent {
  const { test, testNote } = messageWords[language];
  const title = test(label === '' ? 'Parley' : shownName(label));
  return { language, lines: [[{ text: title, isBold: true }], plainLine(testNote)] };
}
