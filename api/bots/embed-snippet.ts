import type { Settings } from '../../core/settings/settings.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';

/** Returns the HTML that embeds a bot's widget in a page. */
export function embedSnippet(
  { publicKey }: Pick<Bot, 'publicKey'>,
  { baseUrl }: Pick<Settings, 'baseUrl'>,
): string {
  return `<script src="${baseUrl}/widget.js" data-bot="${publicKey}" async></script>`;
}
