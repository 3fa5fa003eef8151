/** Adds style sheets, given as CSS text, to the page. */
export function adoptStyles(...styles: readonly string[]): void {
  const sheets = styles.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...sheets];
}
