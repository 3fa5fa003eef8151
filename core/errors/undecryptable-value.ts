/**
 * Thrown if a stored value cannot be decrypted: it was encrypted with another key or in another context, or
 * was changed outside of Parley.
 */
export class UndecryptableValue extends Error {}
