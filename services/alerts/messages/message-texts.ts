import { plainLine, type MessageContent } from '../../../adapters/messaging/message-content.ts';
import type { Language } from '../../../core/languages.ts';
import type { ConnectedWorkspace } from '../channels/alert-connection-service.ts';
import { messageWords } from './message-words.ts';
import { shownName } from './shown-text.ts';

/** A code that proves that whoever sets the policy reads the destination. */
export function codeContent(language: Language, code: string, minutes: number): MessageContent {
  const { code: before, codeNote } = messageWords[language];
  return {
    language,
    code,
    lines: [[{ text: before }, { text: code, isBold: true }], plainLine(codeNote(minutes))],
  };
}

/** What a chat is told once it is tied to a workspace. */
export function connectedText({ name, language }: ConnectedWorkspace): string {
  return messageWords[language].connected(shownName(name));
}

/** What a test says. @param label of the policy */
export function testContent(language: Language, label: string): MessageContent {
  const { test, testNote } = messageWords[language];
  const title = test(label === '' ? 'Parley' : shownName(label));
  return { language, lines: [[{ text: title, isBold: true }], plainLine(testNote)] };
}
