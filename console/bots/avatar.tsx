import { toLocalPath } from '../client/paths.ts';
import type { BotRead } from '../client/types.ts';

/** Avatar of a bot: its uploaded image, or the initial of its name. */
export function Avatar({ bot }: { bot: BotRead }) {
  const path = toLocalPath(String(bot.widget_theme['avatar_url']), '/api/public/assets/');
  if (path === null) {
    return (
      <span className="avatar" aria-hidden="true">
        {bot.name.slice(0, 1).toUpperCase()}
      </span>
    );
  }
  return <img className="avatar" src={path} alt="" />;
}
