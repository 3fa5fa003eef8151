const CHAT_ID = /^(-?)0*([1-9]\d{0,19})$/;

/** Normalizes the id of a Telegram chat, such as `-1001234567890`; null if it is invalid. */
export function parseChatId(text: string): string | null {
  const [, sign, id] = CHAT_ID.exec(text) ?? [];
  return id === undefined ? null : `${sign}${id}`;
}
