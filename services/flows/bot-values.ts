import type { Bot } from '../../entities/bots/bot.entity.ts';

/** What paths that begin with `bot` find. */
export function botValues({ id, name, language }: Bot) {
  return { id, name, language };
}
