/** Of so many messages, those that the money which was given back is for. */
export function refundedMessages(
  messages: number,
  { amountCents, refundedCents }: { amountCents: number; refundedCents: number },
): number {
  return amountCents === 0 ? 0 : Math.floor((messages * refundedCents) / amountCents);
}

/**
 * By how much the messages that are left change: what is used up cannot be taken, and no more than was taken comes back, as
 * when a refund fails.
 */
export function creditChange({
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
