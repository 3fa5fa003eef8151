import { toPlainLine, type MessageContent } from '../../../adapters/messaging/message-content.ts';
import type { Language } from '../../../core/languages.ts';
import type { ConnectedWorkspace } from '../channels/alert-connection-service.ts';
import { messageWords } from './message-words.ts';
import { shortenName } from './reader-text.ts';

/**
 * Composes the message that contains the verification code of a destination. A person who enters the code
 * proves that they can read the destination.
 */
export function composeCode(language: Language, code: string, minutes: number): MessageContent {
  const { code: before, codeNote } = messageWords[language];
  return {
    language,
    code,
    lines: [[{ text: before }, { text: code, isBold: true }], toPlainLine(codeNote(minutes))],
  };
}

/** Composes the reply to a chat that was just connected to a workspace for alerts. */
export function composeConnectedReply({ name, language }: ConnectedWorkspace): string {
  return messageWords[language].connected(shortenName(name));
}

/**
 * Composes the message that tests an alert policy's destination.
 * @param label label of the policy, which the message names
 */
export function composeTest(language: Language, label: string): MessageContent {
  const { test, testNote } = messageWords[language];
  const title = test(label === '' ? 'Parley' : shortenName(label));
  return { language, lines: [[{ text: title, isBold: true }], toPlainLine(testNote)] };
}
