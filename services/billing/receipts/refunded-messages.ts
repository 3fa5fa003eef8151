/** Returns how many of a top-up's messages the refunded amount paid for, rounded down. */
export function countRefundedMessages(
  messages: number,
  { amountCents, refundedCents }: { amountCents: number; refundedCents: number },
): number {
  return amountCents === 0 ? 0 : Math.floor((messages * refundedCents) / amountCents);
}

/**
 * Returns the change of a payer's remaining messages after a top-up's refund. Negative: unused messages are
 * removed. Positive: the refund failed, and the messages removed for it are returned.
 */
export function calculateCreditChange({
  due,
  previouslyDue,
  removed,
  remaining,
}: {
  due: number;
  previouslyDue: number;
  removed: number;
  remaining: number;
}): number {
  const additional = due - previouslyDue;
  return additional >= 0 ? -Math.min(additional, remaining) : Math.min(-additional, removed);
}
