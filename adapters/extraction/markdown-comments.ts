const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const INDENTED_CODE = /^(?: {4}|\t)/;
/** Matches Markdown definitions of links that authors use as comments, such as `[//]: # (text)`. */
const UNUSED_DEFINITION = /^ {0,3}\[(?:\/\/|comment|_)\]:\s*(?:#|<>)/i;
const [START, END] = ['<!--', '-->'];

/**
 * Removes the comments of a Markdown text, which are invisible in the rendered text. Keeps comments within
 * code, and a comment that never ends.
 */
export function removeMarkdownComments(markdown: string): string {
  if (!markdown.includes(START) && !markdown.includes(']:')) return markdown;
  const lines = markdown.split('\n');
  const lastEnd = lines.findLastIndex((line) => line.includes(END));
  const kept: string[] = [];
  let openFence = '';
  let isInComment = false;
  for (const [index, line] of lines.entries()) {
    const marker = isInComment ? undefined : FENCE.exec(line)?.[1];
    if (marker && (!openFence || marker.startsWith(openFence))) openFence = openFence ? '' : marker;
    if (openFence || marker || (!isInComment && INDENTED_CODE.test(line))) {
      kept.push(line);
      continue;
    }
    const rest = removeFromLine(line, isInComment, index < lastEnd);
    const isOnlyComment = rest.text.trim() === '' && line.trim() !== '';
    if (!isOnlyComment && !UNUSED_DEFINITION.test(line)) kept.push(rest.text);
    isInComment = rest.isInComment;
  }
  return kept.join('\n');
}

/** @param canEndLater true if a line below ends a comment */
function removeFromLine(
  line: string,
  isInComment: boolean,
  canEndLater: boolean,
): { text: string; isInComment: boolean } {
  const lastEnd = line.lastIndexOf(END);
  let text = '';
  let isOpen = isInComment;
  let isCode = false;
  for (let at = 0; ;) {
    const next = isOpen ? line.indexOf(END, at) : line.indexOf(START, at);
    if (isOpen) {
      if (next < 0) return { text, isInComment: true };
      at = next + END.length;
      isOpen = false;
      continue;
    }
    const isEnded = next >= 0 && (canEndLater || lastEnd > next);
    if (!isEnded) return { text: text + line.slice(at), isInComment: false };
    const before = line.slice(at, next);
    if ((before.split('`').length - 1) % 2 === 1) isCode = !isCode;
    text += isCode ? before + START : before;
    isOpen = !isCode;
    at = next + START.length;
  }
}
