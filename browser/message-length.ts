/** Maximum length of a message, in characters. */
export const MAX_MESSAGE_LENGTH = 20_000;
