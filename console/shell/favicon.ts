/** Shows the icon of the browser tab with a dot while a visitor waits. */
export function setFavicon(isWaiting: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const href = isWaiting ? '/console/favicon-waiting.svg' : '/console/favicon.svg';
  if (link !== null && link.getAttribute('href') !== href) link.href = href;
}
