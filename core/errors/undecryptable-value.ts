/**
 * A stored value cannot be decrypted: it was encrypted with another key or for another place, or was changed outside of
 * Parley.
 */
export class UndecryptableValue extends Error {}
