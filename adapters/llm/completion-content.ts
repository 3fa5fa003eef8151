/**
 * A part of a model's message whose content is a list. Endpoints may send anything, so values are checked.
 */
interface ContentPart {
  type?: unknown;
  text?: unknown;
}

/**
 * Types of parts of a model's message that visitors see. All other parts are thoughts, references or calls of
 * tools.
 */
const SPOKEN_TYPES = new Set<unknown>([undefined, null, 'text', 'output_text']);

/**
 * Returns the text of a model's message: its content is a text, a part, or a list of both. Omits the model's
 * thoughts.
 */
export function readContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(readPart).join('');
  return readPart(content);
}

function readPart(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return '';
  const { type, text } = part as ContentPart;
  return SPOKEN_TYPES.has(type) && typeof text === 'string' ? text : '';
}
