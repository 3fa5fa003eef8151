import { cutText } from '../../core/text/cut-text.ts';
import type { MessageContent, Run } from './message-content.ts';

/** Maximum length of a Telegram message, in UTF-16 code units. */
const MAX_TEXT_UNITS = 4096;
const ELLIPSIS = '…';

/** Formatting of a part of a Telegram message. `offset` and `length` are in UTF-16 code units. */
interface TelegramEntity {
  type: 'bold' | 'text_link';
  offset: number;
  length: number;
  url?: string;
}

export interface TelegramText {
  text: string;
  entities: TelegramEntity[];
}

/**
 * Converts a message to the plain text and formatting entities of Telegram. Since the text contains no
 * markup, no part of it can act as markup.
 */
export function toTelegramText({ lines }: MessageContent): TelegramText {
  let text = '';
  const entities: TelegramEntity[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0) text += '\n';
    for (const run of line) {
      const entity = toEntity(run, text.length);
      if (entity) entities.push(entity);
      text += run.text;
    }
  }
  return text.length <= MAX_TEXT_UNITS ? { text, entities } : truncateMessage({ text, entities });
}

function toEntity({ text, isBold, link }: Run, offset: number): TelegramEntity | null {
  if (text.trim() === '') return null;
  if (link !== undefined) return { type: 'text_link', offset, length: text.length, url: link };
  return isBold ? { type: 'bold', offset, length: text.length } : null;
}

function truncateMessage({ text, entities }: TelegramText): TelegramText {
  const shortened = cutText(text, MAX_TEXT_UNITS - ELLIPSIS.length);
  const within = entities.flatMap((entity) => {
    const length = Math.min(entity.length, shortened.length - entity.offset);
    return length > 0 ? [{ ...entity, length }] : [];
  });
  return { text: shortened + ELLIPSIS, entities: within };
}
