/** Says where a person finds the link that sets up the first account of this installation. */
export function SetupHint() {
  return (
    <>
      Open the “Set up” link that <code>npm start</code> printed. If you don't have it, restart Parley: it
      prints a new one.
    </>
  );
}
