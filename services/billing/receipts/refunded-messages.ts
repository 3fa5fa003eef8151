/** Returns how many of a top-up's messages the refunded amount paid for, rounded down. */
export function countRefundedMessages(
  messages: number,
  { amountCents, refundedCents }: { amountCents: number; refundedCents: number },
): number {
  return amountCents === 0 ? 0 : Math.floor((messages * refundedCents) / amountCents);
}

/**
 * Returns the change of the remaining messages after a refund, negative if messages are taken back. Used
 * messages cannot be taken back. If a refund failed, at most the messages taken for it are returned.
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
