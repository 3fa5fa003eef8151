/** Returns the DOM id of a step's button. */
export const getCardId = (nodeId: string) => `step-${nodeId}`;

/** Focuses an element of a step after the next render; the step's button if nothing matches. */
export function focusOnStep(nodeId: string, selector: string): void {
  window.requestAnimationFrame(() => {
    const card = document.getElementById(getCardId(nodeId));
    (card?.closest('li')?.querySelector<HTMLElement>(selector) ?? card)?.focus();
  });
}
