/** Hint on a page that needs the token of a mailed link but has none, for example after a reload. */
export function LinkNeeded() {
  return (
    <p>Open the link in your mail, once more if it has led you here already, or have another one mailed.</p>
  );
}
