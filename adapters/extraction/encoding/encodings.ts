import iconv from 'iconv-lite';

type Decoder = (bytes: Uint8Array) => string;

const ESCAPE = 0x1b;
const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
const LINE_FEED = 0x0a;

/**
 * Character encodings with several bytes for a character, by the names of their tables in the library
 * iconv-lite.
 */
const multiByteTables: Record<string, string> = {
  gb18030: 'gb18030',
  big5: 'big5hkscs',
  shift_jis: 'shiftjis',
  'euc-jp': 'eucjp',
  'euc-kr': 'cp949',
};

/** Decoders of Unicode encodings, and of encodings that switch between character sets. */
const wideDecoders: Record<string, Decoder> = {
  'utf-8': useTextDecoder('utf-8'),
  'utf-16le': useTextDecoder('utf-16le'),
  'utf-16be': useTextDecoder('utf-16be'),
  'utf-32le': useTable('utf-32le'),
  'utf-32be': useTable('utf-32be'),
  'iso-2022-jp': useTextDecoder('iso-2022-jp'),
  'iso-2022-kr': decodeIso2022Kr,
};

/**
 * Character encodings with one byte for a character, by the names of their tables in the library iconv-lite.
 * TextDecoder lacks half of them, and some versions of Node.js read windows-1252 with it as ISO-8859-1.
 */
const tables: Record<string, string> = {
  ...nameEach('windows-', 'cp', [874, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258]),
  ...nameEach('iso-8859-', 'iso8859', [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16]),
  ...nameEach(
    'cp',
    'cp',
    [437, 720, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 869, 1125],
  ),
  ibm866: 'cp866',
  'koi8-r': 'koi8r',
  'koi8-u': 'koi8u',
  macintosh: 'macroman',
  'x-mac-cyrillic': 'maccyrillic',
  'x-mac-ce': 'maccenteuro',
  'x-mac-greek': 'macgreek',
  'x-mac-turkish': 'macturkish',
  'x-mac-icelandic': 'maciceland',
  'kz-1048': 'rk1048',
  ptcp154: 'pt154',
};

const decoders = new Map<string, Decoder>([
  ...Object.entries(wideDecoders),
  ...Object.entries({ ...multiByteTables, ...tables }).map(
    ([name, table]) => [name, useTable(table)] as const,
  ),
  // TextDecoder decodes these two: their tables in iconv-lite are older than the euro sign and the Ukrainian
  // letter Ґ.
  ...['macintosh', 'x-mac-cyrillic'].map((name) => [name, useTextDecoder(name)] as const),
]);

/** Other names of character encodings, without punctuation, that TextDecoder does not know. */
const aliases: Record<string, string> = {
  ascii: 'windows-1252',
  ansi: 'windows-1252',
  iso88591: 'windows-1252',
  iso88599: 'windows-1254',
  iso885911: 'windows-874',
  iso88598i: 'iso-8859-8',
  gbk: 'gb18030',
  gb2312: 'gb18030',
  cp936: 'gb18030',
  cp932: 'shift_jis',
  shiftjis2004: 'shift_jis',
  cp949: 'euc-kr',
  uhc: 'euc-kr',
  cp950: 'big5',
  big5hkscs: 'big5',
  eucjis2004: 'euc-jp',
  iso2022jp1: 'iso-2022-jp',
  iso2022jp2: 'iso-2022-jp',
  iso2022jp3: 'iso-2022-jp',
  iso2022jp2004: 'iso-2022-jp',
  iso2022jpext: 'iso-2022-jp',
  csiso2022kr: 'iso-2022-kr',
  utf8sig: 'utf-8',
  utf8bom: 'utf-8',
  utf16: 'utf-16le',
  utf32: 'utf-32le',
  cp866: 'ibm866',
  cp874: 'windows-874',
  macroman: 'macintosh',
  xmacroman: 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
  maccentraleurope: 'x-mac-ce',
  maccenteuro: 'x-mac-ce',
  maclatin2: 'x-mac-ce',
  macgreek: 'x-mac-greek',
  macturkish: 'x-mac-turkish',
  maciceland: 'x-mac-icelandic',
  rk1048: 'kz-1048',
  strk10482002: 'kz-1048',
  pt154: 'ptcp154',
};

const namesByKey = new Map<string, string>([
  ...[...decoders.keys()].map((name) => [toKey(name), name] as const),
  ...Object.entries(aliases),
]);

/** Names of all character encodings that `decodeAs` reads. */
export const encodingNames: readonly string[] = [...decoders.keys()];

/**
 * Returns the name of a character encoding by any of its labels, such as `latin1`, `CP1251` or `x-sjis`. Null
 * if unknown.
 */
export function findEncoding(label: string): string | null {
  const key = toKey(label);
  return namesByKey.get(key) ?? namesByKey.get(toKey(findStandardName(label))) ?? null;
}

/**
 * Decodes bytes in a character encoding. Each byte or sequence that the encoding does not contain becomes
 * U+FFFD.
 * @param name name of the encoding, one of `encodingNames`
 */
export function decodeAs(name: string, bytes: Uint8Array): string {
  const decode = decoders.get(name);
  if (!decode) throw new Error(`There is no encoding ${name}.`);
  return decode(bytes);
}

/**
 * Encodes a text in a character encoding.
 * @param name name of an encoding, except encodings of Unicode and ISO-2022
 */
export function encodeAs(name: string, text: string): Uint8Array {
  return iconv.encode(text, (multiByteTables[name] ?? tables[name])!);
}

/** Returns whether a character encoding has one byte for each character, so that it can decode any bytes. */
export function isSingleByte(name: string): boolean {
  return name in tables;
}

function toKey(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^(?:ibm|dos|oem)(?=\d)/, 'cp')
    .replace(/^cp(?=125\d$)/, 'windows');
}

/** Returns the name of a character encoding for a label of the Encoding Standard; empty for other text. */
function findStandardName(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return '';
  }
}

function nameEach(prefix: string, tablePrefix: string, numbers: readonly number[]): Record<string, string> {
  return Object.fromEntries(numbers.map((number) => [`${prefix}${number}`, `${tablePrefix}${number}`]));
}

function useTextDecoder(label: string): Decoder {
  return (bytes) => new TextDecoder(label).decode(bytes);
}

function useTable(table: string): Decoder {
  return (bytes) => iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), table);
}

/** Decodes ISO-2022-KR, in which two control characters switch between ASCII and 7-bit EUC-KR. */
function decodeIso2022Kr(bytes: Uint8Array): string {
  const unpacked = new Uint8Array(bytes.length);
  let length = 0;
  let highBit = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    if (byte === ESCAPE && bytes[index + 1] === 0x24) {
      // Skip the sequence `ESC $ ) C` at the start, which announces the Korean character set.
      index += 3;
    } else if (byte === SHIFT_OUT) {
      highBit = 0x80;
    } else if (byte === SHIFT_IN) {
      highBit = 0;
    } else {
      if (byte === LINE_FEED) highBit = 0;
      unpacked[length] = byte > 0x20 ? byte | highBit : byte;
      length += 1;
    }
  }
  return decodeAs('euc-kr', unpacked.subarray(0, length));
}
