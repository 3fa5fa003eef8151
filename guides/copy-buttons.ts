const FEEDBACK_MS = 2000;

/** Adds a copy button to each block of code on the page that readers run or write. */
export function addCopyButtons(): void {
  for (const figure of document.querySelectorAll('figure.code')) {
    const code = figure.querySelector('code')?.textContent ?? '';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(code, button));
    figure.append(button);
  }
}

async function copy(code: string, button: HTMLButtonElement): Promise<void> {
  // The browser offers no clipboard to pages of other machines without TLS.
  const isCopied = await navigator.clipboard?.writeText(code).then(
    () => true,
    () => false,
  );
  button.textContent = isCopied ? 'Copied' : 'Select to copy';
  setTimeout(() => (button.textContent = 'Copy'), FEEDBACK_MS);
}
