import type { Language } from '../../core/languages.ts';

/** A piece of a line. Nothing in its text is markup. */
export interface Run {
  text: string;
  isBold?: boolean;
  link?: string;
}

export type Line = readonly Run[];

/** What a message says, whichever app shows it. */
export interface MessageContent {
  /** The language of Parley's own words; English if none is given. */
  language?: Language;
  lines: readonly Line[];
  /** That it is all about: some apps have messages of their own for codes. */
  code?: string;
}

export function plainLine(text: string): Line {
  return [{ text }];
}

export function textOf({ lines }: MessageContent): string {
  return lines.map((line) => line.map(({ text }) => text).join('')).join('\n');
}

/** Links stand behind what they are of, for where none can be hidden in words. */
export function textWithLinks({ lines }: MessageContent): string {
  return lines
    .map((line) => line.map(({ text, link }) => (link === undefined ? text : `${text} ${link}`)).join(''))
    .join('\n');
}
