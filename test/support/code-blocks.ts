/** Returns the code blocks of one language in a Markdown text, in order. */
export function extractCodeBlocks(markdown: string, language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm');
  return [...markdown.matchAll(block)].map(([, code = '']) => code);
}
