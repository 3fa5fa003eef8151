import type { Language } from '../../core/languages.ts';

/** Part of a line. Its text contains no markup. */
export interface Run {
  text: string;
  isBold?: boolean;
  link?: string;
}

export type Line = readonly Run[];

/** Content of a message, independent of the messaging app. */
export interface MessageContent {
  /** Language of Parley's own words; English by default. */
  language?: Language;
  lines: readonly Line[];
  /** Code that the message delivers: some apps have special messages for codes. */
  code?: string;
}

export function toPlainLine(text: string): Line {
  return [{ text }];
}

export function toMessageText({ lines }: MessageContent): string {
  return lines.map((line) => line.map(({ text }) => text).join('')).join('\n');
}

/** Appends each link to its words, for apps that cannot hide links behind text. */
export function toTextWithLinks({ lines }: MessageContent): string {
  return lines
    .map((line) => line.map(({ text, link }) => (link === undefined ? text : `${text} ${link}`)).join(''))
    .join('\n');
}
