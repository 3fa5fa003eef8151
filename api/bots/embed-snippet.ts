import type { Settings } from '../../core/settings/settings.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';

/** What puts the widget of a bot on a page. */
export function embedSnippet(
  { publicKey }: Pick<Bot, 'publicKey'>,
  { baseUrl }: Pick<Settings, 'baseUrl'>,
): string {
  return `<script src="${baseUrl}/widget.js" data-bot="${publicKey}" async></script>`;
}
