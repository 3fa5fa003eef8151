import type { Settings } from '../../../core/settings/settings.ts';
import type { AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';

/** URL path of the page that shows alert messages captured instead of sent. */
export const CAPTURED_CHATS_PATH = '/dev/mail/chats';

export type ChannelRoute = 'provider' | 'kept' | 'none';

type ChannelSettings = Pick<
  Settings,
  'telegramBotToken' | 'whatsappToken' | 'smtpUrl' | 'baseUrl' | 'trustedProxies'
>;

/**
 * True if the API may serve the page with captured emails and messages. Behind https or a proxy, strangers
 * may reach the page, so it is not served.
 */
export function canShowCaptured({
  smtpUrl,
  baseUrl,
  trustedProxies,
}: Pick<Settings, 'smtpUrl' | 'baseUrl' | 'trustedProxies'>): boolean {
  return smtpUrl === undefined && trustedProxies === 0 && !baseUrl.startsWith('https:');
}

/**
 * Decides how the alert messages of each channel are sent: by the provider, captured locally, or not at all.
 */
export function resolveChannelRoutes(
  settings: ChannelSettings,
): Readonly<Record<AlertChannel, ChannelRoute>> {
  const fallback = canShowCaptured(settings) ? 'kept' : 'none';
  return {
    telegram: settings.telegramBotToken === undefined ? fallback : 'provider',
    whatsapp: settings.whatsappToken === undefined ? fallback : 'provider',
  };
}
