import { Avatar } from '@mantine/core';
import { toLocalPath } from '../client/paths.ts';
import type { Bot } from '../client/types.ts';

/** Avatar of a bot: its uploaded image, or the initial of its name. */
export function BotAvatar({ bot, size = 40 }: { bot: Bot; size?: number }) {
  const path = toLocalPath(String(bot.widget_theme['avatar_url']), '/api/public/assets/');
  return (
    <Avatar src={path} alt="" size={size} radius={size} color="brand" aria-hidden>
      {bot.name.slice(0, 1).toUpperCase()}
    </Avatar>
  );
}
