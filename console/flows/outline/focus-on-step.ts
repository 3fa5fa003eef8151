/** The id of a step’s button on the page: for who comes from elsewhere. */
export const cardOf = (nodeId: string) => `step-${nodeId}`;

/** Gives the focus to what is in a step, or to the step itself where there is no such thing, once it is drawn. */
export function focusOnStep(nodeId: string, selector: string): void {
  window.requestAnimationFrame(() => {
    const card = document.getElementById(cardOf(nodeId));
    (card?.closest('li')?.querySelector<HTMLElement>(selector) ?? card)?.focus();
  });
}
