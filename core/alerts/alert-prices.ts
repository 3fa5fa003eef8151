import { Type, type Static } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compilesQuickly } from '../errors/schema-compiler.ts';

/**
 * Price of one alert message in US dollars, by the country's calling code. The key `*` is the price for all
 * other codes.
 */
const PricesOfChannel = Type.Record(
  Type.String({ pattern: '^(\\+?[1-9]\\d{0,5}|\\*)$' }),
  Type.Number({ minimum: 0, maximum: 1000 }),
  { additionalProperties: false },
);

const AlertPrices = Type.Object(
  { telegram: Type.Optional(PricesOfChannel), whatsapp: Type.Optional(PricesOfChannel) },
  { additionalProperties: false },
);
export type AlertPrices = Static<typeof AlertPrices>;
const isAlertPrices = new Ajv2020(compilesQuickly).compile<AlertPrices>(AlertPrices);

/** Error message for an invalid value of `PARLEY_ALERT_PRICES`. */
export const ALERT_PRICES_FORM =
  'PARLEY_ALERT_PRICES must be JSON like {"whatsapp":{"49":0.06,"*":0.03}}: US dollars per message, by channel (telegram, whatsapp) and calling code or *.';

/** Parses the JSON of the setting with the prices of alert messages; null if it is invalid. */
export function parseAlertPrices(json: string): AlertPrices | null {
  try {
    const prices: unknown = JSON.parse(json);
    return isAlertPrices(prices) ? prices : null;
  } catch {
    return null;
  }
}

/**
 * Returns the price of an alert message to a phone number or chat, in US dollars; 0 if no price is set. The
 * longest calling code at the start of the number decides.
 */
export function alertPrice(
  prices: AlertPrices,
  { channel, destination }: { channel: keyof AlertPrices; destination: string },
): number {
  const channelPrices = prices[channel] ?? {};
  const digits = stripNonDigits(destination);
  // Use calling codes only for WhatsApp, whose destinations are phone numbers; ids of Telegram chats are not.
  const codes = Object.keys(channel === 'whatsapp' ? channelPrices : {})
    .filter((code) => digits.startsWith(stripNonDigits(code)))
    .toSorted((a, b) => stripNonDigits(b).length - stripNonDigits(a).length);
  return channelPrices[codes.find((code) => code !== '*') ?? '*'] ?? 0;
}

function stripNonDigits(text: string): string {
  return text.replace(/\D/g, '');
}
