/** What anybody can say at once, in characters. */
export const MAX_MESSAGE_LENGTH = 20_000;
