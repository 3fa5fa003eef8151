const SAID_FOR_MS = 2000;

/** A button on each block that is to be run or written. */
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
  // Browsers have no clipboard for pages of other machines without TLS.
  const isCopied = await navigator.clipboard?.writeText(code).then(
    () => true,
    () => false,
  );
  button.textContent = isCopied ? 'Copied' : 'Select it, please';
  setTimeout(() => (button.textContent = 'Copy'), SAID_FOR_MS);
}
