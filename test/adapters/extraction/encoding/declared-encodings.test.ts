import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  findXmlEncoding,
  parseCharset,
  readMarkupHints,
} from '../../../../adapters/extraction/encoding/declared-encodings.ts';
import { encodingNames, findEncoding } from '../../../../adapters/extraction/encoding/encodings.ts';

const readEncodings = (page: string) => readMarkupHints(Buffer.from(page)).encodings;

describe('readMarkupHints', () => {
  it('reads meta elements in any form', () => {
    for (const meta of [
      '<meta charset="windows-1251">',
      "<META CHARSET = 'CP1251' />",
      '<meta charset=windows-1251>',
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
      '<meta content="text/html;charset=\'windows-1251\'" http-equiv=content-type>',
    ]) {
      assert.deepEqual(readEncodings(`<html><head>${meta}`), ['windows-1251'], meta);
    }
  });

  it('ignores charset= outside of meta elements that declare a known encoding', () => {
    for (const other of [
      '<meta name="description" content="how to set charset=windows-1251">',
      '<meta http-equiv="refresh" content="0; url=/?charset=windows-1251">',
      '<!-- <meta charset="windows-1251"> -->',
      '<script>document.write("<meta charset=windows-1251>")</script>',
      '<title><meta charset="windows-1251"></title>',
      '<a href="?charset=windows-1251">charset=windows-1251</a>',
      '<meta charset="unknown-7">',
    ]) {
      assert.deepEqual(readEncodings(`${other}<meta charset="koi8-r">`), ['koi8-r'], other);
    }
  });

  it('finds a declaration after long scripts', () => {
    const page = `<head><script>${'x'.repeat(100_000)}</script><meta charset="koi8-r">`;
    assert.deepEqual(readEncodings(page), ['koi8-r']);
  });

  it('reads UTF-16 as UTF-8, as browsers do', () => {
    assert.deepEqual(readEncodings('<meta charset="utf-16le">'), ['utf-8']);
  });

  it('reads the language of the html element or of a meta element', () => {
    const language = (page: string) => readMarkupHints(Buffer.from(page)).language;
    assert.equal(language('<html lang="pt-BR">'), 'pt');
    assert.equal(language('<html xml:lang="el">'), 'el');
    assert.equal(language('<meta http-equiv="Content-Language" content="de">'), 'de');
    assert.equal(language('<p lang="fr">'), null);
  });
});

describe('findXmlEncoding', () => {
  it('reads the XML declaration at the start only', () => {
    const find = (text: string) => findXmlEncoding(Buffer.from(text));
    assert.equal(find('<?xml version="1.0" encoding="ISO-8859-2"?><a/>'), 'iso-8859-2');
    assert.equal(find("\n<?xml version='1.0' encoding='utf-16'?><a/>"), 'utf-8');
    assert.equal(find('<a><?xml version="1.0" encoding="ISO-8859-2"?></a>'), null);
    assert.equal(find('<?xml version="1.0"?><a encoding="koi8-r"/>'), null);
  });
});

describe('parseCharset', () => {
  it('reads the charset parameter of a media type', () => {
    assert.equal(parseCharset('text/html; charset=utf-8; boundary=x'), 'utf-8');
    assert.equal(parseCharset("text/html;Charset='windows-1251'"), 'windows-1251');
    assert.equal(parseCharset('text/html'), null);
    assert.equal(parseCharset(null), null);
  });
});

describe('findEncoding', () => {
  it('finds encodings by their own names and by other labels', () => {
    for (const name of encodingNames) assert.equal(findEncoding(name), name);
    for (const [label, name] of [
      ['latin1', 'windows-1252'],
      ['ISO_8859-1', 'windows-1252'],
      ['ISO-8859-9', 'windows-1254'],
      ['TIS-620', 'windows-874'],
      ['CP1251', 'windows-1251'],
      ['IBM852', 'cp852'],
      ['cp866', 'ibm866'],
      ['x-sjis', 'shift_jis'],
      ['CP932', 'shift_jis'],
      ['gb2312', 'gb18030'],
      ['ks_c_5601-1987', 'euc-kr'],
      ['MacRoman', 'macintosh'],
      ['Mac-Cyrillic', 'x-mac-cyrillic'],
      ['UTF8', 'utf-8'],
    ] as const) {
      assert.equal(findEncoding(label), name, label);
    }
    for (const label of [
      '',
      'base64',
      'hex',
      'binary',
      'utf-7',
      'x-user-defined',
      'replacement',
      'klingon',
    ]) {
      assert.equal(findEncoding(label), null, label);
    }
  });
});
