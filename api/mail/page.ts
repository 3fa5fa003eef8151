import { escapeHtml } from '../../core/escape-html.ts';
import type { Language } from '../../core/languages.ts';

const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
iframe { width: 100%; height: 32rem; border: 1px solid #9aa5b1 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #9aa5b1; padding: 1rem }
dt { font-weight: 600 } dd { margin: 0 0 .5rem; overflow-wrap: anywhere }`;

/** @param body HTML */
export function page(title: string, body: string, language: Language = 'en'): string {
  return `<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(title)}</title>
  <link rel="icon" href="data:,">
  <style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
