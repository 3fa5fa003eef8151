import { Type } from '@sinclair/typebox';
import { count, optional, setting, text, type SettingDefinition } from './setting-definition.ts';

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
  telegramApiUrl: setting(
    'Alerts',
    'PARLEY_TELEGRAM_API_URL',
    url('https://api.telegram.org', 'Where Telegram’s Bot API is.'),
  ),
  telegramPerSecond: setting(
    'Alerts',
    'PARLEY_TELEGRAM_PER_SECOND',
    count(25, 1, 1000, 'Messages to Telegram a second, of all workspaces and workers together.'),
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
      description: 'What you have chosen as the verify token of the webhook at Meta.',
    }),
    true,
  ),
  whatsappApiUrl: setting(
    'Alerts',
    'PARLEY_WHATSAPP_API_URL',
    url('https://graph.facebook.com/v23.0', 'Where Meta’s Graph API is, with its version.'),
  ),
  whatsappTemplate: setting(
    'Alerts',
    'PARLEY_WHATSAPP_TEMPLATE',
    Type.String({
      pattern: '^[a-z0-9_]{1,512}$',
      default: 'parley_alert',
      description:
        'Template of the category utility that alerts go by where 24 hours have passed since the person wrote; it has one parameter.',
    }),
  ),
  whatsappCodeTemplate: setting(
    'Alerts',
    'PARLEY_WHATSAPP_CODE_TEMPLATE',
    Type.String({
      pattern: '^[a-z0-9_]{1,512}$',
      default: 'parley_code',
      description: 'Template of the category authentication that carries codes.',
    }),
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
  whatsappPerSecond: setting(
    'Alerts',
    'PARLEY_WHATSAPP_PER_SECOND',
    count(50, 1, 1000, 'Messages to WhatsApp a second, of all workspaces and workers together.'),
  ),
  alertSendTimeoutMs: setting(
    'Alerts',
    'PARLEY_ALERT_SEND_TIMEOUT_MS',
    count(
      10000,
      100,
      10000,
      'Longest duration of one attempt to send a message, in milliseconds; with what comes before it, it must be less than the 20 s that an activity has.',
    ),
  ),
  alertSettleMs: setting(
    'Alerts',
    'PARLEY_ALERT_SETTLE_MS',
    count(
      16000,
      100,
      16000,
      'How long somebody who has a test or a code sent waits for what becomes of it, in milliseconds.',
    ),
  ),
  alertPlaces: setting(
    'Alerts',
    'PARLEY_ALERT_PLACES',
    count(
      16,
      2,
      64,
      'Messages that a worker hands over to each messaging app at once. One workspace takes another place only while it has fewer than are free: alone half of them. As many again are kept, one each, for workspaces that have none.',
    ),
  ),
  alertCodesPerHour: setting(
    'Alerts',
    'PARLEY_ALERT_CODES_PER_HOUR',
    count(
      10,
      0,
      10000000,
      'Codes that a workspace, and an account in all its workspaces, may have sent to destinations that they typed in an hour; 0 for any number, uncounted. Workspaces that share a plan have five times as many together, without a plan as many.',
    ),
  ),
  alertLogDays: setting(
    'Alerts',
    'PARLEY_ALERT_LOG_DAYS',
    count(30, 1, 3650, 'How many days alerts and their messages are kept.'),
  ),
  alertPauses: setting(
    'Alerts',
    'PARLEY_ALERT_PAUSES',
    Type.String({
      pattern: '^\\d{1,6},\\d{1,6},\\d{1,6}$',
      default: '3000,10000,30000',
      description:
        'Milliseconds between two messages of a policy where something critical is among them, those that other alerts wait for company, and those between two of them.',
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

/** What goes only together, by the variables' names. */
export function alertProblems(values: Record<string, unknown>): string[] {
  return together.flatMap(([given, needed]) =>
    values[given] === undefined
      ? []
      : needed
          .filter((name) => values[name] === undefined)
          .map((name) => `${name} must be set when ${given} is.`),
  );
}
