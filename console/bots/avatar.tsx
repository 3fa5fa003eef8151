import type { BotRead } from '../client/types.ts';

/** An uploaded avatar, from this server whatever its public name is; else the initial. */
export function Avatar({ bot }: { bot: BotRead }) {
  const path = avatarPath(bot.widget_theme['avatar_url']);
  if (path === null) {
    return (
      <span class="avatar" aria-hidden="true">
        {bot.name.slice(0, 1).toUpperCase()}
      </span>
    );
  }
  return <img class="avatar" src={path} alt="" />;
}

function avatarPath(url: unknown): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { pathname } = new URL(url);
  return pathname.startsWith('/api/public/assets/') ? pathname : null;
}
