/** Hint for a page without the token of a mailed link: it was reloaded, or the user wants another link. */
export function LinkNeeded() {
  return (
    <p>Open the link in your mail, once more if it has led you here already, or have another one mailed.</p>
  );
}
