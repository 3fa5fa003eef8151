import assert from 'node:assert/strict';
import { ABC, DECLARATION, parseTwice, readLocations } from './sitemap-support.ts';

describe('parseSitemap with feeds', () => {
  const rss = (items: string, version = '2.0') =>
    `${DECLARATION}<rss version="${version}"><channel><title>t</title><link>https://x.test/</link>` +
    `<image><url>https://x.test/l.png</url><link>https://x.test/</link></image>${items}</channel></rss>`;
  const items = (write: (location: string) => string, name = 'item') =>
    ABC.map((location) => `<${name}>${write(location)}</${name}>`).join('');
  const atom = (entries: string, attributes = '') =>
    `<feed xmlns="http://www.w3.org/2005/Atom"${attributes}><link rel="self" href="https://x.test/feed"/>` +
    `<link href="https://x.test/"/><id>urn:x</id>${entries}</feed>`;
  for (const [what, file] of [
    [
      'RSS 2.0',
      rss(items((at) => `<title>A &amp; B</title><link>${at}</link><guid isPermaLink="false">7</guid>`)),
    ],
    [
      'RSS 0.91',
      rss(
        items((at) => `<link>\n${at}\n</link>`),
        '0.91',
      ),
    ],
    ['RSS with CDATA', rss(items((at) => `<link><![CDATA[${at}]]></link>`))],
    ['RSS with permanent addresses alone', rss(items((at) => `<title>t</title><guid>${at}</guid>`))],
    [
      'RSS with both',
      rss(items((at) => `<guid isPermaLink="true">https://x.test/?p=1</guid><link>${at}</link>`)),
    ],
    [
      'RSS with links of Atom',
      rss(items((at) => `<atom:link rel="self" href="https://x.test/s"/><atom:link href="${at}"/>`)),
    ],
    ['RSS with addresses after empty links', rss(items((at) => `<link/>${at}<title>t</title>`))],
    [
      'RSS with articles',
      rss(
        items(
          (at) =>
            `<description><p>Read <a href="https://x.test/z">this<br></p></description><link>${at}</link><content:encoded><![CDATA[<link>https://x.test/y</link>]]></content:encoded>`,
        ),
      ),
    ],
    ['RSS with unclosed titles', rss(items((at) => `<title>t<link>${at}</link>`))],
    [
      'RSS 1.0',
      `<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="https://x.test/"><link>https://x.test/</link><items><rdf:Seq><rdf:li resource="https://x.test/a"/></rdf:Seq></items></channel>${items((at) => `<link>${at}</link>`)}</rdf:RDF>`,
    ],
    [
      'RSS 1.0 without links',
      `<rdf:RDF>${ABC.map((at) => `<item rdf:about="${at}"><title>t</title></item>`).join('')}</rdf:RDF>`,
    ],
    ['Atom', atom(items((at) => `<link href="${at}"/>`, 'entry'))],
    [
      'Atom with several links',
      atom(
        items(
          (at) =>
            `<link rel="edit" href="https://x.test/e"/><link rel="alternate" type="application/json" href="https://x.test/j"/><link rel="alternate" type="text/html" href="${at}"/><link rel="enclosure" href="https://x.test/m.mp3"/>`,
          'entry',
        ),
      ),
    ],
    [
      'Atom with copied entries',
      atom(items((at) => `<source><link href="https://y.test/"/></source><link href="${at}"/>`, 'entry')),
    ],
    [
      'Atom with XHTML',
      atom(
        items(
          (at) =>
            `<title type="xhtml"><div>t</div></title><content type="xhtml"><div><a href="https://x.test/z">z</a></div></content><link href="${at}"/>`,
          'entry',
        ),
      ),
    ],
    [
      'Atom with a prefix',
      `<a:feed>${ABC.map((at) => `<a:entry><a:link a:x="1" href="${at}"/></a:entry>`).join('')}</a:feed>`,
    ],
    [
      'RSS 1.0 with a prefix of its own',
      `<rdf:RDF xmlns:rdf="r" xmlns:rss="http://purl.org/rss/1.0/">${items((at) => `<rss:link>${at}</rss:link>`, 'rss:item')}</rdf:RDF>`,
    ],
    [
      'RSS with links of Atom under another prefix',
      `<rss xmlns:a10="http://www.w3.org/2005/Atom"><channel>${items((at) => `<a10:link href="${at}"/>`)}</channel></rss>`,
    ],
    ['Atom with ids alone', atom(items((at) => `<title>t</title><id>${at}</id>`, 'entry'))],
    [
      'Atom with ids besides links',
      atom(items((at) => `<id>https://x.test/?p=1</id><link href="${at}"/>`, 'entry')),
    ],
    ['Atom with links as text', atom(items((at) => `<link>${at}</link>`, 'entry'))],
  ] as const)
    it(`reads ${what}`, async () => {
      const parsed = await parseTwice(file);
      assert.deepEqual([readLocations(parsed), parsed.isPartial], [ABC, true]);
    });

  for (const [what, file] of [
    [
      'of podcasts',
      rss(
        `<itunes:category text="Arts"><itunes:category text="Books"/></itunes:category><itunes:owner><itunes:name>n</itunes:name></itunes:owner>` +
          items(
            (at) =>
              `<title>t</title><itunes:title>t</itunes:title><link>${at}</link><guid isPermaLink="false">7</guid>` +
              `<podcast:person><podcast:link>https://x.test/n</podcast:link></podcast:person>` +
              `<enclosure url="https://x.test/t.mp3" type="audio/mpeg"/><itunes:author>n</itunes:author>`,
          ),
      ),
    ],
    [
      'of media',
      rss(
        items(
          (at) =>
            `<title>t</title><media:group><media:content url="https://x.test/v.mp4"><media:title>t</media:title>` +
            `<media:description>d</media:description><media:category>c</media:category></media:content></media:group>` +
            `<media:link>https://x.test/m</media:link><media:comments><media:comment>c</media:comment></media:comments>` +
            `<media:item><media:guid>https://x.test/g</media:guid></media:item><link>${at}</link>`,
        ),
      ),
    ],
  ] as const)
    it(`ignores elements ${what}, and reports no flaw`, async () => {
      const parsed = await parseTwice(file);
      assert.deepEqual([readLocations(parsed), parsed.flaws], [ABC, []]);
    });

  it('resolves relative addresses against the base of the feed or entry', async () => {
    const file = atom(
      '<entry><link href="a"/></entry><entry xml:base="/docs/"><link href="b"/></entry>',
      ' xml:base="https://x.test/blog/"',
    );
    assert.deepEqual(
      (await parseTwice(file)).entries.map(({ location, base }) => new URL(location, base!).href),
      ['https://x.test/blog/a', 'https://x.test/docs/b'],
    );
  });

  it('returns an empty address for an entry without an address', async () => {
    assert.deepEqual(readLocations(await parseTwice(rss('<item><title>t</title></item>'))), ['']);
    assert.deepEqual(readLocations(await parseTwice(atom('<entry><id>urn:uuid:1</id></entry>'))), ['']);
  });
});
