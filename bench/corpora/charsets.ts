import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { decodeText } from '../../adapters/extraction/encoding/decode-text.ts';
import { normalizeText } from '../../core/text/normalize-text.ts';
import type { Figure } from '../support/figure.ts';

/** Name of a subfolder by which the bench recognizes the corpus of texts in many encodings. */
const MARKER_FOLDER = 'windows_1251';
const MIN_SHARE = 0.975;
/** Length at which the bench truncates texts, in characters; no file of the corpus is that long. */
const MAX_CHARS = 10_000_000;

/** Counts the files whose character encoding Parley detects. Each folder is named after the encoding of its files. */
export function benchCharsets(folder: string): Promise<Figure[]> {
  if (!existsSync(join(folder, MARKER_FOLDER))) return Promise.resolve([]);
  const encodings = readdirSync(folder).filter((name) => iconv.encodingExists(name));
  const files = encodings.flatMap((encoding) =>
    readdirSync(join(folder, encoding)).map((name) => ({ encoding, path: join(folder, encoding, name) })),
  );
  const right = files.filter(({ encoding, path }) => {
    const bytes = readFileSync(path);
    return simplify(decodeText(bytes).text) === simplify(iconv.decode(bytes, encoding));
  });
  return Promise.resolve([
    {
      bench: 'corpora',
      figure: `encodings detected of ${files.length} files`,
      value: right.length,
      unit: '',
      target: `≥ ${MIN_SHARE * 100} %`,
      ok: right.length >= files.length * MIN_SHARE,
    },
  ]);
}

/** Removes differences between similar character encodings: byte order marks, and signs with several codes. */
function simplify(text: string): string {
  return normalizeText(text.replace(/^\uFEFF/, ''), 'NFKC', MAX_CHARS)
    .replaceAll(/[~〜∼]/g, '~')
    .replaceAll(/[-−‐―—]/g, '-');
}
