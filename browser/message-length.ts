/** Maximum number of characters of a message in a conversation. */
export const MAX_MESSAGE_LENGTH = 20_000;
