import { Type } from '@sinclair/typebox';
import { optional, setting, text, type SettingDefinition } from './setting-definition.ts';

const url = (fallback: string, description: string) =>
  Type.String({ pattern: '^https?://[^/?#]+[^?#]*$', default: fallback, description });

export const alertSettings = {
  telegramBotToken: optional(
    'Alerts',
    'PARLEY_TELEGRAM_BOT_TOKEN',
    Type.String({
      pattern: '^\\d{1,20}:[A-Za-z0-9_-]{20,100}$',
      description:
        'Token of a bot at Telegram, from @BotFather; docs/alerts.md shows how to get one. Without it messages to Telegram are kept and shown beside the mails.',
    }),
    true,
  ),
  telegramBotName: optional(
    'Alerts',
    'PARLEY_TELEGRAM_BOT_NAME',
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_]{3,31}$',
      description: 'Name of that bot, without `@`: links into a chat with it are made of it.',
    }),
  ),
  whatsappToken: optional(
    'Alerts',
    'PARLEY_WHATSAPP_TOKEN',
    text(
      'Access token of a system user at Meta, for the Cloud API of WhatsApp; docs/alerts.md shows how to get one. Without it messages to WhatsApp are kept and shown beside the mails.',
    ),
    true,
  ),
  whatsappPhoneNumberId: optional(
    'Alerts',
    'PARLEY_WHATSAPP_PHONE_NUMBER_ID',
    Type.String({
      pattern: '^\\d{1,32}$',
      description: 'Id of the number that messages come from, at Meta.',
    }),
  ),
  whatsappNumber: optional(
    'Alerts',
    'PARLEY_WHATSAPP_NUMBER',
    Type.String({
      pattern: '^\\+[1-9]\\d{6,14}$',
      description: 'That number, as `+351912345678`: links into a chat with it are made of it.',
    }),
  ),
  whatsappAppSecret: optional(
    'Alerts',
    'PARLEY_WHATSAPP_APP_SECRET',
    text('Secret of the app at Meta, with which it signs what it sends to `/hooks/whatsapp`.'),
    true,
  ),
  whatsappVerifyToken: optional(
    'Alerts',
    'PARLEY_WHATSAPP_VERIFY_TOKEN',
    Type.String({
      minLength: 16,
      maxLength: 200,
      description: 'The verify token that you chose for the webhook at Meta.',
    }),
    true,
  ),
  whatsappApiUrl: setting(
    'Alerts',
    'PARLEY_WHATSAPP_API_URL',
    url('https://graph.facebook.com/v23.0', 'URL of Meta’s Graph API, with its version.'),
  ),
  whatsappTemplateLanguages: setting(
    'Alerts',
    'PARLEY_WHATSAPP_TEMPLATE_LANGUAGES',
    Type.String({
      pattern: '^[a-z]{2,3}(_[A-Z]{2})?(,[a-z]{2,3}(_[A-Z]{2})?)*$',
      default: 'en',
      description:
        'Languages in which both templates were approved, as Meta writes them: `en,de,pt_PT`. A message goes by that of the workspace’s language, or else by the first.',
    }),
  ),
} satisfies Record<string, SettingDefinition>;

const together = [
  ['PARLEY_TELEGRAM_BOT_TOKEN', ['PARLEY_TELEGRAM_BOT_NAME']],
  [
    'PARLEY_WHATSAPP_TOKEN',
    [
      'PARLEY_WHATSAPP_PHONE_NUMBER_ID',
      'PARLEY_WHATSAPP_NUMBER',
      'PARLEY_WHATSAPP_APP_SECRET',
      'PARLEY_WHATSAPP_VERIFY_TOKEN',
    ],
  ],
] as const;

/** Returns errors for variables that must be set together, by name. */
export function alertProblems(values: Record<string, unknown>): string[] {
  return together.flatMap(([given, needed]) =>
    values[given] === undefined
      ? []
      : needed
          .filter((name) => values[name] === undefined)
          .map((name) => `${name} must be set when ${given} is.`),
  );
}
