import type { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import {
  unconfiguredMessenger,
  capturingMessenger,
  type Messenger,
} from '../../../adapters/messaging/messenger.ts';
import { TelegramClient } from '../../../adapters/messaging/telegram-client.ts';
import { TelegramMessenger } from '../../../adapters/messaging/telegram-messenger.ts';
import { WhatsappMessenger } from '../../../adapters/messaging/whatsapp-messenger.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';
import { resolveChannelRoutes } from './channels.ts';

/**
 * Maximum number of Telegram messages per second, over all workspaces and workers. Telegram limits a bot to
 * 30.
 */
const TELEGRAM_PER_SECOND = 25;
/**
 * Maximum number of WhatsApp messages per second, over all workspaces and workers. Meta limits a number to
 * 80.
 */
const WHATSAPP_PER_SECOND = 50;
/**
 * Name of the WhatsApp template (category `utility`) for alerts. Meta requires a template if the person's
 * last message is older than 24 hours. docs/alerts.md describes how to register the template.
 */
const ALERT_TEMPLATE = 'parley_alert';
/** Name of the WhatsApp template (category `authentication`) for verification codes. */
const CODE_TEMPLATE = 'parley_code';

/** Clients for the messaging apps that this installation has configured. */
export interface Messaging {
  messengers: Readonly<Record<AlertChannel, Messenger>>;
  telegram: { client: TelegramClient; token: string } | undefined;
}

/**
 * Creates the clients for messaging apps.
 * @param client HTTP client that may reach the endpoints that the operator has configured
 */
export function createMessaging(settings: Settings, client: OutboundClient): Messaging {
  const telegram = createTelegram(settings, client);
  const routes = resolveChannelRoutes(settings);
  const createFallback = (channel: AlertChannel) =>
    routes[channel] === 'kept' ? capturingMessenger : unconfiguredMessenger;
  return {
    telegram,
    messengers: {
      telegram: telegram
        ? new TelegramMessenger({
            ...telegram,
            perSecond: TELEGRAM_PER_SECOND,
            timeoutMs: settings.alertSendTimeoutMs,
          })
        : createFallback('telegram'),
      whatsapp: createWhatsapp(settings, client) ?? createFallback('whatsapp'),
    },
  };
}

function createTelegram(
  { telegramBotToken: token, telegramApiUrl: apiUrl }: Settings,
  client: OutboundClient,
): Messaging['telegram'] {
  return token === undefined ? undefined : { token, client: new TelegramClient({ client, apiUrl, token }) };
}

function createWhatsapp(settings: Settings, client: OutboundClient): Messenger | undefined {
  const { whatsappToken: token, whatsappPhoneNumberId: phoneNumberId } = settings;
  if (token === undefined || phoneNumberId === undefined) return undefined;
  return new WhatsappMessenger({
    client,
    token,
    phoneNumberId,
    apiUrl: settings.whatsappApiUrl,
    template: ALERT_TEMPLATE,
    codeTemplate: CODE_TEMPLATE,
    languages: settings.whatsappTemplateLanguages.split(','),
    perSecond: WHATSAPP_PER_SECOND,
    timeoutMs: settings.alertSendTimeoutMs,
  });
}
