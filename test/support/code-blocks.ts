/** The blocks of a language in a text of Markdown, in their order. */
export function codeBlocks(markdown: string, language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm');
  return [...markdown.matchAll(block)].map(([, code = '']) => code);
}
