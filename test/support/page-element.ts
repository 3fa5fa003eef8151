/** The DOM members that tests read within a page. The compiler has no DOM types here. */
export interface PageElement {
  ownerDocument: { defaultView: { getComputedStyle(element: PageElement): Record<string, string> } };
}
