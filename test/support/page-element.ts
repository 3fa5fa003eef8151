/** DOM members that tests read within a web page. The compiler has no DOM types here. */
export interface PageElement {
  ownerDocument: { defaultView: { getComputedStyle(element: PageElement): Record<string, string> } };
}
