/** Where the page has no token of a mailed link: it was loaded anew, or somebody wants another one. */
export function LinkNeeded() {
  return (
    <p>Open the link in your mail, once more if it has led you here already, or have another one mailed.</p>
  );
}
