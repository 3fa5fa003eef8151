/** Returns the number of messages that the refunded amount corresponds to. */
export function countRefundedMessages(
  messages: number,
  { amountCents, refundedCents }: { amountCents: number; refundedCents: number },
): number {
  return amountCents === 0 ? 0 : Math.floor((messages * refundedCents) / amountCents);
}

/**
 * Returns the change of the remaining messages. Used messages cannot be taken back; a failed refund returns at most
 * what was taken.
 */
export function calculateCreditChange({
  due,
  askedBefore,
  taken,
  left,
}: {
  due: number;
  askedBefore: number;
  taken: number;
  left: number;
}): number {
  const more = due - askedBefore;
  return more >= 0 ? -Math.min(more, left) : Math.min(-more, taken);
}
