let loading: Promise<void> | null = null;

/**
 * Links the style sheet of the console's signed-in pages, whose name is in the page's HTML. Waits until the
 * style sheet applies.
 */
export function loadShellStyles(): Promise<void> {
  loading ??= new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = document.getElementById('console')?.dataset['styles'] ?? '';
    link.onload = () => resolve();
    // Continue without styles if the style sheet cannot be loaded.
    link.onerror = () => resolve();
    document.head.append(link);
  });
  return loading;
}
