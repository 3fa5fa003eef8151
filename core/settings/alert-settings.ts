import { Type } from '@sinclair/typebox';
import { optional, setting, nonEmptyText, type SettingDefinition } from './setting-definition.ts';

export const alertSettings = {
  telegramBotToken: optional(
    'Alerts',
    'PARLEY_TELEGRAM_BOT_TOKEN',
    Type.String({
      pattern: '^\\d{1,20}:[A-Za-z0-9_-]{20,100}$',
      form: 'a token from @BotFather: digits, a colon and a secret',
      description:
        'Telegram bot token from @BotFather (docs/alerts.md). If this is not set, Parley shows the messages at `/dev/mail/chats`.',
    }),
    true,
  ),
  telegramBotName: optional(
    'Alerts',
    'PARLEY_TELEGRAM_BOT_NAME',
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_]{3,31}$',
      form: 'the name of a Telegram bot without @, such as AcmeAlertsBot',
      description: 'Name of the Telegram bot without `@`, for links to its chat.',
    }),
  ),
  whatsappToken: optional(
    'Alerts',
    'PARLEY_WHATSAPP_TOKEN',
    nonEmptyText(
      'Access token of a Meta system user for the WhatsApp Cloud API (docs/alerts.md). If this is not set, Parley shows the messages next to the emails.',
    ),
    true,
  ),
  whatsappPhoneNumberId: optional(
    'Alerts',
    'PARLEY_WHATSAPP_PHONE_NUMBER_ID',
    Type.String({
      pattern: '^\\d{1,32}$',
      form: 'the id of the phone number, which consists of digits',
      description: 'Meta’s id for the phone number that sends the messages.',
    }),
  ),
  whatsappNumber: optional(
    'Alerts',
    'PARLEY_WHATSAPP_NUMBER',
    Type.String({
      pattern: '^\\+[1-9]\\d{6,14}$',
      form: 'a phone number with + and the country code, such as +351912345678',
      description: 'Phone number that sends the messages, e.g. `+351912345678`, for links to its chat.',
    }),
  ),
  whatsappAppSecret: optional(
    'Alerts',
    'PARLEY_WHATSAPP_APP_SECRET',
    nonEmptyText('Meta’s app secret, which signs requests to `/hooks/whatsapp`.'),
    true,
  ),
  whatsappVerifyToken: optional(
    'Alerts',
    'PARLEY_WHATSAPP_VERIFY_TOKEN',
    Type.String({
      minLength: 16,
      maxLength: 200,
      description: 'Verify token of the webhook at Meta.',
    }),
    true,
  ),
  whatsappTemplateLanguages: setting(
    'Alerts',
    'PARLEY_WHATSAPP_TEMPLATE_LANGUAGES',
    Type.String({
      pattern: '^[a-z]{2,3}(_[A-Z]{2})?(,[a-z]{2,3}(_[A-Z]{2})?)*$',
      form: 'a comma-separated list of languages, such as en,de,pt_PT',
      default: 'en',
      description:
        'Languages in which Meta has approved both templates, in Meta’s notation: `en,de,pt_PT`. A workspace whose language is not listed uses the first language.',
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

/**
 * Returns an error for each environment variable for alerts that is missing although a related variable is
 * set.
 */
export function listAlertProblems(values: Record<string, unknown>): string[] {
  return together.flatMap(([presentName, needed]) =>
    values[presentName] === undefined
      ? []
      : needed
          .filter((name) => values[name] === undefined)
          .map((name) => `${name} must be set when ${presentName} is.`),
  );
}
