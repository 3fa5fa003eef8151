/** Returns the DOM id of the button of a step in the flow's list of steps. */
export const getCardId = (nodeId: string) => `step-${nodeId}`;

/**
 * Moves the focus to an element of a flow's step after the next render. If the selector matches nothing,
 * focuses the step's button.
 */
export function focusOnStep(nodeId: string, selector: string): void {
  window.requestAnimationFrame(() => {
    const card = document.getElementById(getCardId(nodeId));
    (card?.closest('li')?.querySelector<HTMLElement>(selector) ?? card)?.focus();
  });
}
