export interface ConsoleFiles {
  /** File name of the script that starts the console. */
  script: string;
  /** File name of the style sheet to which the console's page links. */
  styles: string;
  /** File name of the style sheet that the console loads after the sign-in. */
  signedInStyles: string;
  /**
   * File names of the scripts that the console's first script imports. Browsers load them at the same time.
   */
  imports: readonly string[];
}

/** Renders the HTML page that the console and the account forms share. */
export function renderConsoleHtml({ script, styles, signedInStyles, imports }: ConsoleFiles): string {
  const preloads = imports.map((name) => `  <link rel="modulepreload" href="/console/${name}">\n`).join('');
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
  <meta name="color-scheme" content="light dark">
  <title>Parley</title>
  <link rel="icon" href="/console/favicon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/console/${styles}">
${preloads}  <script type="module" src="/console/${script}"></script>
</head>
<body>
  <div id="console" data-styles="/console/${signedInStyles}"></div>
  <noscript>This page of Parley needs JavaScript.</noscript>
</body>
</html>
`;
}
