import assert from 'node:assert/strict';
import { selectCases } from '../../support/it-in-soak.ts';
import { assertLoopBlockedBelow } from '../../support/loop-meter.ts';
import { ABC, DECLARATION, FILE, parse, parseTwice, readLocations } from './sitemap-support.ts';

const listUrls = (locations = ABC) => locations.map((loc) => `<url><loc>${loc}</loc></url>`).join('');
const SITEMAP = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${listUrls()}</urlset>`;

describe('parseSitemap', () => {
  const oneLine = (location: string) => `<urlset>${listUrls([location])}</urlset>`;

  for (const [what, file, flaws] of [
    [
      'a comment before the declaration',
      `<!-- made by cache -->\n${DECLARATION}\n${SITEMAP}`,
      ['text_before'],
    ],
    ['blank lines before the declaration', `\n\n \t\r\n${DECLARATION}\n${SITEMAP}`, []],
    ['a byte order mark', `\ufeff${DECLARATION}${SITEMAP}`, []],
    ['blank lines before a byte order mark', `\n\ufeff${DECLARATION}${SITEMAP}`, []],
    [
      'a PHP warning in HTML before it',
      `<br />\n<b>Warning</b>:  Undefined variable $x in <b>/var/www/a.php</b> on line <b>2</b><br />\n${DECLARATION}${SITEMAP}`,
      ['text_before'],
    ],
    [
      'a PHP warning with an unclosed list before it',
      `<ul><li>Warning${DECLARATION}${SITEMAP}`,
      ['text_before'],
    ],
    [
      'a PHP warning in plain text before it',
      `PHP Warning:  Undefined variable $x in /var/www/a.php on line 2\n${DECLARATION}${SITEMAP}`,
      ['text_before'],
    ],
    ['a notice after it', `${DECLARATION}${SITEMAP}\n<br><b>Notice</b>: x`, ['text_after']],
    ['text after it', `${SITEMAP}\n0\n`, ['text_after']],
    ['a comment after it', `${SITEMAP}\n<!-- 0.1 s -->`, []],
    ['no declaration', SITEMAP, []],
    ['no namespace', `<urlset>${listUrls()}</urlset>`, []],
    [
      'another namespace',
      `<urlset xmlns="http://www.google.com/schemas/sitemap/0.84">${listUrls()}</urlset>`,
      [],
    ],
    ['an unknown prefix', `<sm:urlset>${listUrls().replaceAll(/(<\/?)/g, '$1sm:')}</sm:urlset>`, []],
    [
      'elements in upper case',
      SITEMAP.toUpperCase()
        .replaceAll('HTTPS://X.TEST/', 'https://x.test/')
        .replaceAll(/\/([ABC])</g, (_, at: string) => `/${at.toLowerCase()}<`),
      [],
    ],
    ['a DOCTYPE', `${DECLARATION}<!DOCTYPE urlset SYSTEM "https://x.test/sitemap.dtd">${SITEMAP}`, []],
    [
      'a DOCTYPE with declarations',
      `<!DOCTYPE urlset [\n<!ELEMENT url (loc)>\n<!ATTLIST url a CDATA "1">\n]>${SITEMAP}`,
      [],
    ],
    ['the DOCTYPE of HTML', `<!DOCTYPE html>\n${DECLARATION}${SITEMAP}`, ['text_before']],
    ['a style sheet', `${DECLARATION}<?xml-stylesheet type="text/xsl" href="/s.xsl"?>${SITEMAP}`, []],
    [
      'two sitemaps in one file',
      `${DECLARATION}<urlset>${listUrls(ABC.slice(0, 1))}</urlset>${DECLARATION}<urlset>${listUrls(ABC.slice(1))}</urlset>`,
      [],
    ],
    ['unclosed addresses', `<urlset>${listUrls().replaceAll('</loc>', '')}</urlset>`, ['not_closed']],
    ['unclosed entries', `<urlset>${listUrls().replaceAll('</url>', '')}</urlset>`, ['not_closed']],
    [
      'neither closed addresses nor closed entries',
      `<urlset>${listUrls().replaceAll(/<\/(loc|url)>/g, '\n')}</urlset>`,
      ['not_closed'],
    ],
    [
      'an unclosed date',
      `<urlset>${listUrls().replaceAll('<loc>', '<lastmod>2020-01-01<loc>')}</urlset>`,
      ['not_closed'],
    ],
    ['too many closing tags', `<urlset>${listUrls().replaceAll('</url>', '</url></url></x>')}</urlset>`, []],
    ['no url elements', `<urlset>${listUrls().replaceAll(/<\/?url>/g, '')}</urlset>`, []],
    ['no loc elements', `<urlset>${listUrls().replaceAll(/<\/?loc>/g, '')}</urlset>`, ['no_loc']],
    ['no urlset element', `${DECLARATION}${listUrls()}`, ['no_root']],
    ['CDATA', `<urlset>${listUrls(ABC.map((loc) => `<![CDATA[${loc}]]>`))}</urlset>`, []],
    [
      'comments in the addresses',
      `<urlset>${listUrls(ABC.map((loc) => ` <!-- x -->\n${loc} <!-- <loc>y</loc> -->\t`))}</urlset>`,
      [],
    ],
    [
      'an HTML entity around the addresses',
      `<urlset>${listUrls(ABC.map((loc) => `&nbsp;${loc}&nbsp;`))}</urlset>`,
      ['not_escaped'],
    ],
    [
      'images and videos',
      SITEMAP.replaceAll(
        '</loc>',
        '</loc><image:image><image:loc>https://x.test/a.png</image:loc></image:image><video:video><video:url>https://x.test/v</video:url></video:video>',
      ),
      [],
    ],
  ] as const)
    it(`reads a sitemap with ${what}`, async () => {
      const parsed = await parseTwice(file);
      assert.deepEqual([readLocations(parsed), parsed.flaws, parsed.isPartial], [ABC, flaws, false]);
      assert.ok(parsed.entries.every(({ kind, base }) => kind === 'page' && base === FILE));
    });

  for (const [location, expected] of [
    ['https://x.test/?a=1&b=2', 'https://x.test/?a=1&b=2'],
    ['https://x.test/?a=1&copy=2&lt=3&para;', 'https://x.test/?a=1&copy=2&lt=3¶'],
    ['https://x.test/?a=1&amp;b=2', 'https://x.test/?a=1&b=2'],
    ['https://x.test/?a=1&amp;amp;b=2', 'https://x.test/?a=1&b=2'],
    ['https://x.test/?a=1&#38;b=2&#x26;c=3', 'https://x.test/?a=1&b=2&c=3'],
    ['<![CDATA[https://x.test/?a=1&b=2&copy;]]>', 'https://x.test/?a=1&b=2&copy;'],
    ['https://x.test/caf&eacute;&nbsp;bar', 'https://x.test/café\u00a0bar'],
    ['https://x.test/&unknown;', 'https://x.test/&unknown;'],
    ['https://x.test/a < b', 'https://x.test/a < b'],
    [' /relative ', '/relative'],
    ['', ''],
  ] as const)
    it(`reads the address ${JSON.stringify(location)} as ${JSON.stringify(expected)}`, async () =>
      assert.deepEqual(readLocations(await parseTwice(oneLine(location))), [expected]));

  for (const file of [
    '<sitemap><loc>https://x.test/s.xml</loc></sitemap>',
    '<sitemapindex><url><loc>https://x.test/s.xml</loc></url></sitemapindex>',
  ])
    it(`reads ${file} as an index`, async () =>
      assert.deepEqual(
        (await parseTwice(file)).entries.map(({ kind, location }) => [kind, location]),
        [['sitemap', 'https://x.test/s.xml']],
      ));

  it('reads an index, with and without loc elements', async () => {
    const file =
      '<sitemapindex><sitemap>https://x.test/s.xml?a=1&amp;b=2</sitemap><sitemap><loc>/t.xml</loc></sitemap></sitemapindex>';
    assert.deepEqual(
      (await parseTwice(file)).entries.map(({ kind, location }) => [kind, location]),
      [
        ['sitemap', 'https://x.test/s.xml?a=1&b=2'],
        ['sitemap', '/t.xml'],
      ],
    );
  });

  it('returns an empty address for an entry without an address', async () => {
    const file =
      '<urlset><url><loc/></url><url><lastmod>2020-01-01</lastmod></url><url/><url><loc> </loc></url></urlset>';
    assert.deepEqual(readLocations(await parseTwice(file)), ['', '', '', '']);
  });

  it('keeps the entries before the end of a file that is cut, but no address that is cut', async () => {
    const { length } = SITEMAP;
    for (const [cut, expected] of [
      [length - '</urlset>'.length, ABC],
      [length - '</url></urlset>'.length, ABC],
      [length - '/c</loc></url></urlset>'.length, ABC.slice(0, 2)],
      [length - '></url></urlset>'.length, ABC.slice(0, 2)],
    ] as const) {
      const parsed = await parseTwice(SITEMAP.slice(0, cut));
      assert.deepEqual([readLocations(parsed), parsed.isPartial], [expected, true]);
      assert.ok(parsed.flaws.includes('truncated'));
    }
    await assert.rejects(parse('<urlset><url><loc>https://x.te'), {
      message: 'The sitemap ends before its first entry.',
    });
  });

  it('expands no entities that a DOCTYPE declares, and reads the other entries', async () => {
    const file =
      '<!DOCTYPE z [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>' +
      oneLine(
        'https://x.test/&b;</loc></url><url><loc>https://x.test/&x;</loc></url><url><loc>https://x.test/c',
      );
    const problem = 'This URL contains an entity that the sitemap declares.';
    assert.deepEqual((await parseTwice(file)).entries, [
      { kind: 'page', location: 'https://x.test/&b;', base: FILE, problem },
      { kind: 'page', location: 'https://x.test/&x;', base: FILE, problem },
      { kind: 'page', location: 'https://x.test/c', base: FILE },
    ]);
  });

  describe('decodes', () => {
    const declare = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?>${oneLine('https://x.test/Größe')}`;
    const utf16 = (text: string) => Buffer.from(text, 'utf16le');
    for (const [what, file, charset] of [
      ['UTF-16 LE with a mark', utf16(`\ufeff${declare('UTF-16')}`), null],
      ['UTF-16 BE with a mark', utf16(`\ufeff${declare('UTF-16')}`).swap16(), null],
      ['UTF-16 LE without a mark', utf16(declare('utf-16')), null],
      ['UTF-16 BE without a mark', utf16(oneLine('https://x.test/Größe')).swap16(), null],
      ['UTF-8 that declares UTF-16', Buffer.from(declare('utf-16')), null],
      ['UTF-8 that declares Latin 1', Buffer.from(declare('iso-8859-1')), null],
      ['UTF-8 with another charset in the header', Buffer.from(declare('UTF-8')), 'iso-8859-1'],
      ['UTF-8 that declares an unknown encoding', Buffer.from(declare('x-none')), null],
      ['Latin 1 by its declaration', Buffer.from(declare('ISO-8859-1'), 'latin1'), null],
      [
        'Latin 1 by a declaration after a comment',
        Buffer.from(`<!-- x -->${declare('windows-1252')}`, 'latin1'),
        null,
      ],
      ['Latin 1 without a declaration', Buffer.from(oneLine('https://x.test/Größe'), 'latin1'), null],
      ['Latin 1 that declares UTF-8', Buffer.from(declare('utf-8'), 'latin1'), 'utf-8'],
      ['Latin 1 by the header', Buffer.from(oneLine('https://x.test/Größe'), 'latin1'), 'ISO-8859-1'],
      [
        'MacRoman by its declaration',
        Buffer.from(declare('macintosh').replace('ö', '\x9a').replace('ß', '\xa7'), 'latin1'),
        null,
      ],
    ] as const)
      it(what, async () =>
        assert.deepEqual(
          readLocations(await parseTwice(file, charset)).map((location) => location.normalize('NFC')),
          what.startsWith('MacRoman') ? [decodeMacRoman()] : ['https://x.test/Größe'],
        ),
      );
    /** Decodes with Node.js, because it decodes `macintosh` correctly only with full ICU data. */
    const decodeMacRoman = () =>
      `https://x.test/Gr${new TextDecoder('macintosh').decode(Uint8Array.of(0x9a, 0xa7))}e`;
  });

  describe('reads plain text', () => {
    for (const [what, file] of [
      ['with Windows line ends', `${ABC.join('\r\n')}\r\n`],
      ['with the line ends of old Macs', ABC.join('\r')],
      ['with comments and blank lines', `\ufeff# pages\n\n${ABC.join('\n\n')}\n# end`],
      ['in UTF-16', Buffer.from(`\ufeff${ABC.join('\n')}`, 'utf16le')],
    ] as const)
      it(what, async () => {
        const { entries, flaws } = await parseTwice(file);
        assert.deepEqual(
          [entries, flaws],
          [ABC.map((location) => ({ kind: 'page', location, base: null })), []],
        );
      });

    it('with a heading and other lines', async () =>
      assert.deepEqual(readLocations(await parseTwice(`Pages of x.test\n${ABC.join('\n')}`)), [
        'Pages of x.test',
        ...ABC,
      ]));
  });

  for (const [what, file, message] of [
    ['a web page', `<html><body>${listUrls()}</body></html>`, 'The file is a web page, not a sitemap.'],
    [
      'a web page without html element',
      `<!doctype html><title>t</title><p>${'x'.repeat(99)}`,
      'The file is a web page, not a sitemap.',
    ],
    [
      'another XML document',
      '<opml><body/></opml>',
      'The file is not a sitemap: its root element is <opml>.',
    ],
    [
      'a long XML document',
      `<opml>${'<outline/>'.repeat(9999)}<urlset>${listUrls()}</urlset>`,
      'The file is not a sitemap: its root element is <opml>.',
    ],
    [
      'prose with an address',
      `Hello\nsee ${ABC[0]}\n${ABC[1]}\nand more\nand more`,
      'The file is neither an XML sitemap nor a list of URLs.',
    ],
    [
      'a comment without end',
      `<urlset><!--${'x'.repeat(9_000_000)}`,
      'The sitemap has a comment or text that does not end.',
    ],
    [
      'too many attributes',
      `<urlset ${Array.from({ length: 99 }, (_, at) => `a${at}=""`).join(' ')}>`,
      'An element of the sitemap has too many attributes.',
    ],
  ] as const)
    it(`refuses ${what}`, () => assert.rejects(parse(file, { chunkBytes: 65_536 }), { message }));

  for (const [what, file] of selectCases(
    [
      ['unclosed elements', `<urlset>${'<url><loc>https://x.test/a<b>'.repeat(60_000)}`],
      ['nested elements', `<urlset>${'<a>'.repeat(600_000)}`],
      ['ampersands', `<urlset>${`<url><loc>${'&'.repeat(4000)}</loc></url>`.repeat(500)}</urlset>`],
      [
        'declared entities',
        `<!DOCTYPE z [${'<!ENTITY a "&b;">'.repeat(9000)}]><urlset>${`<url><loc>${'&a;'.repeat(1300)}</loc></url>`.repeat(300)}</urlset>`,
      ],
      ['a long CDATA section', `<urlset><url><loc><![CDATA[${'&'.repeat(6_000_000)}]]></loc></url></urlset>`],
      ['long addresses', `<rss><channel>${`<item><link>${'x'.repeat(100_000)}</link></item>`.repeat(20)}`],
    ] as const,
    2,
  ))
    it(`blocks the event loop for less than 50 ms by ${what}`, async () => {
      await assertLoopBlockedBelow(50, () => parse(file, { chunkBytes: 16_384 }).catch(() => {}));
    });

  it('blocks the event loop for less than 50 ms by bases that join to a long base', async () => {
    const file = `<urlset>${`<a xml:base="${'p'.repeat(3900)}/">`.repeat(14)}${'<b xml:base="?"/>'.repeat(10_000)}`;
    await assertLoopBlockedBelow(50, () => parse(file, { chunkBytes: 65_536 }).catch(() => {}));
  });
});
