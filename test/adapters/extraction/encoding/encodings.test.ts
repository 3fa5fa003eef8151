import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeAs, encodingNames, findEncoding } from '../../../../adapters/extraction/encoding/encodings.ts';

/**
 * Names of character encodings in the Encoding Standard, except `replacement` and `x-user-defined`, which
 * decode no text.
 */
const standardNames =
  `UTF-8 IBM866 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8
  ISO-8859-10 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U macintosh windows-874
  windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257
  windows-1258 x-mac-cyrillic gb18030 Big5 EUC-JP ISO-2022-JP Shift_JIS EUC-KR UTF-16BE UTF-16LE`.split(
    /\s+/,
  );

describe('findEncoding', () => {
  it('finds encodings by the names of the Encoding Standard and Parley’s own names', () => {
    for (const name of standardNames) assert.equal(findEncoding(name), name.toLowerCase());
    for (const name of encodingNames) assert.equal(findEncoding(name), name);
  });

  it('finds encodings by labels from the Encoding Standard and from common programs', () => {
    const labels: [string, string][] = [
      ['latin1', 'windows-1252'],
      ['ISO-8859-8-I', 'iso-8859-8'],
      ['GBK', 'gb18030'],
      ['x-sjis', 'shift_jis'],
      ['866', 'ibm866'],
      ['l9', 'iso-8859-15'],
      ['csISO2022KR', 'iso-2022-kr'],
      ['CP1251', 'windows-1251'],
      ['IBM850', 'cp850'],
      ['UTF_8', 'utf-8'],
    ];
    for (const [label, name] of labels) assert.equal(findEncoding(label), name);
  });

  it('returns null for text that names no encoding', () => {
    for (const label of ['', ' ', 'klingon', 'replacement', 'x-user-defined', '__proto__', '8']) {
      assert.equal(findEncoding(label), null, label);
    }
  });
});

describe('decodeAs', () => {
  it('reads the euro sign and Ukrainian letters of the Macintosh', () => {
    assert.equal(decodeAs('macintosh', Uint8Array.of(0x35, 0x20, 0xdb)), '5 €');
    assert.equal(decodeAs('x-mac-cyrillic', Uint8Array.of(0xa2, 0xb6, 0xff)), 'Ґґ€');
  });
});
