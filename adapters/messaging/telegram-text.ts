import { cutText } from '../../core/text/cut-text.ts';
import type { MessageContent, Run } from './message-content.ts';

/** In UTF-16 code units, as Telegram counts. */
const MOST_UNITS = 4096;
const CUT = '…';

/** Marks a part of a text, in UTF-16 code units. */
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

/** The text as it is, with what is special about it beside it: nothing in it can be mistaken for markup. */
export function telegramText({ lines }: MessageContent): TelegramText {
  let text = '';
  const entities: TelegramEntity[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0) text += '\n';
    for (const run of line) {
      const entity = entityOf(run, text.length);
      if (entity) entities.push(entity);
      text += run.text;
    }
  }
  return text.length <= MOST_UNITS ? { text, entities } : cut({ text, entities });
}

function entityOf({ text, isBold, link }: Run, offset: number): TelegramEntity | null {
  if (text.trim() === '') return null;
  if (link !== undefined) return { type: 'text_link', offset, length: text.length, url: link };
  return isBold ? { type: 'bold', offset, length: text.length } : null;
}

function cut({ text, entities }: TelegramText): TelegramText {
  const kept = cutText(text, MOST_UNITS - CUT.length);
  const within = entities.flatMap((entity) => {
    const length = Math.min(entity.length, kept.length - entity.offset);
    return length > 0 ? [{ ...entity, length }] : [];
  });
  return { text: kept + CUT, entities: within };
}
