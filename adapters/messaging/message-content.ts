import type { Language } from '../../core/languages.ts';

/** Text of one style within a line of a message, without markup. */
export interface Run {
  text: string;
  isBold?: boolean;
  link?: string;
}

export type Line = readonly Run[];

/** Content of a chat message, independent of the messaging app. */
export interface MessageContent {
  /** Language of Parley's own words in the message; English by default. */
  language?: Language;
  lines: readonly Line[];
  /** Verification code that the message contains. Some apps have a special message for codes. */
  code?: string;
}

export function toPlainLine(text: string): Line {
  return [{ text }];
}

export function toMessageText({ lines }: MessageContent): string {
  return lines.map((line) => line.map(({ text }) => text).join('')).join('\n');
}

/**
 * Returns the message as plain text. Each link follows its label, for apps that cannot attach links to text.
 */
export function toTextWithLinks({ lines }: MessageContent): string {
  return lines
    .map((line) => line.map(({ text, link }) => (link === undefined ? text : `${text} ${link}`)).join(''))
    .join('\n');
}
