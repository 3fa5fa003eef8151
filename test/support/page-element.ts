/** What tests read of an element within a page; the compiler knows no DOM here. */
export interface PageElement {
  ownerDocument: { defaultView: { getComputedStyle(element: PageElement): Record<string, string> } };
}
