import type { Settings } from '../../../core/settings/settings.ts';
import type { AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';

/** Where the messages are that no provider was there to take. */
export const KEPT_CHATS = '/dev/mail/chats';

export type ChannelWay = 'provider' | 'kept' | 'none';

type ChannelSettings = Pick<
  Settings,
  'telegramBotToken' | 'whatsappToken' | 'smtpUrl' | 'baseUrl' | 'trustedProxies'
>;

/** Behind https, which Parley itself does not speak, or proxies, strangers may be among the callers: mails and messages belong to servers then. */
export function isKeptShown({
  smtpUrl,
  baseUrl,
  trustedProxies,
}: Pick<Settings, 'smtpUrl' | 'baseUrl' | 'trustedProxies'>): boolean {
  return smtpUrl === undefined && trustedProxies === 0 && !baseUrl.startsWith('https:');
}

/** How messages of each channel go out. */
export function channelsOf(settings: ChannelSettings): Readonly<Record<AlertChannel, ChannelWay>> {
  const otherwise = isKeptShown(settings) ? 'kept' : 'none';
  return {
    telegram: settings.telegramBotToken === undefined ? otherwise : 'provider',
    whatsapp: settings.whatsappToken === undefined ? otherwise : 'provider',
  };
}
