import { ParleyError } from './errors.ts';

/**
 * Maximum bytes of a response that is held in memory, after decompression. The longest transcripts have half
 * this size.
 */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Reads the body of a response as UTF-8.
 * @param limits maximum size, and the name of the setting of Parley's URL for the message
 * @throws ParleyError if the response is larger than `maxBytes` after decompression
 */
export async function readText(
  response: Response,
  { maxBytes, urlSetting }: { maxBytes: number; urlSetting: string },
): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw new ParleyError(
        `The response exceeds ${maxBytes} bytes. Check that ${urlSetting} is the URL of Parley.`,
      );
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
  return [...parts, decoder.decode()].join('');
}
