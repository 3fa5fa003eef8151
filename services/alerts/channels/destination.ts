import type { AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';

const CHAT = /^(-?)0*([1-9]\d{0,19})$/;
const CHAT_NAME = /^@[A-Za-z][A-Za-z0-9_]{3,31}$/;
const NUMBER = /^\+[1-9]\d{6,14}$/;

/** What people read where one is not as it must be. */
export const destinationRules: Readonly<Record<AlertChannel, string>> = {
  telegram: 'must be the id of a chat, such as 123456789 or -1001234567890, or the @name of a public one',
  whatsapp: 'must be a number with its country code, such as +351912345678',
};

/** The one way to write a chat or a number, or null for what is none. */
export function destinationOf(channel: AlertChannel, text: string): string | null {
  const given = text.trim();
  if (channel === 'whatsapp') return numberOf(given);
  if (CHAT_NAME.test(given)) return given.toLowerCase();
  const [, sign, id] = CHAT.exec(given) ?? [];
  return id === undefined ? null : `${sign}${id}`;
}

function numberOf(text: string): string | null {
  const number = text.replaceAll(/[\s().-]/g, '').replace(/^00/, '+');
  return NUMBER.test(number) ? number : null;
}
