import { parseChatId } from '../../../core/alerts/chat-id.ts';
import type { AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';

const CHAT_NAME = /^@[A-Za-z][A-Za-z0-9_]{3,31}$/;
const NUMBER = /^\+[1-9]\d{6,14}$/;

/** Validation messages for invalid destinations of alerts, by channel. */
export const destinationRules: Readonly<Record<AlertChannel, string>> = {
  telegram: 'must be the id of a chat, such as 123456789 or -1001234567890, or the @name of a public chat',
  whatsapp: 'must be a phone number with its country code, such as +351912345678',
};

/**
 * Normalizes the destination of alerts: the id or name of a chat, or a phone number. Null if it is invalid.
 */
export function parseDestination(channel: AlertChannel, text: string): string | null {
  const address = text.trim();
  if (channel === 'whatsapp') return parsePhoneNumber(address);
  if (CHAT_NAME.test(address)) return address.toLowerCase();
  return parseChatId(address);
}

function parsePhoneNumber(text: string): string | null {
  const number = text.replaceAll(/[\s().-]/g, '').replace(/^00/, '+');
  return NUMBER.test(number) ? number : null;
}
