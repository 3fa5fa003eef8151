/** Ways to add the widget to a website, each with the code to copy. */
export function buildSnippets(snippet: string): { id: string; name: string; steps: string; code: string }[] {
  const [, src = ''] = /src="([^"]*)"/.exec(snippet) ?? [];
  const [, bot = ''] = /data-bot="([^"]*)"/.exec(snippet) ?? [];
  const lines = [
    `const script = document.createElement('script');`,
    `script.src = '${src}';`,
    `script.dataset.bot = '${bot}';`,
    `script.async = true;`,
    `document.body.append(script);`,
  ];
  const indent = (by: string): string => lines.map((line) => by + line).join('\n');
  return [
    {
      id: 'html',
      name: 'Snippet',
      steps: 'Add this snippet before the closing </body> tag:',
      code: snippet,
    },
    {
      id: 'gtm',
      name: 'Tag Manager',
      steps:
        'In Google Tag Manager, create a Custom HTML tag with this code. Set the tag to fire on all pages.',
      code: `<script>\n(function () {\n${indent('  ')}\n})();\n</script>`,
    },
    {
      id: 'wordpress',
      name: 'WordPress',
      steps: 'Add this to the functions.php file of your theme, or paste the snippet into a footer plugin:',
      code: `add_action('wp_footer', function () {\n  echo '${snippet}';\n});`,
    },
    {
      id: 'react',
      name: 'React',
      steps: 'Render this component once, in the root of your app:',
      code: `import { useEffect } from 'react';\n\nexport function Chat() {\n  useEffect(() => {\n${indent('    ')}\n  }, []);\n  return null;\n}`,
    },
  ];
}
