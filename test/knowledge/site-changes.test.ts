import assert from 'node:assert/strict';
import { selectNextPages } from '../../services/knowledge/crawling/link-frontier.ts';
import {
  planSiteChanges,
  mergeSiteTags,
  type FormerPage,
} from '../../services/knowledge/crawling/site-changes.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { measureLoop } from '../support/loop-meter.ts';

/** `ok`, `gone`, `unlisted`, `missed` (once before); `empty` ones were never indexed. */
function former(kinds: string[]): FormerPage[] {
  return kinds.map((kind, index) => ({
    id: `${kind} ${index}`,
    hasContent: !kind.startsWith('empty'),
    isListed: /ok|gone/.test(kind),
    isGone: kind.includes('gone'),
    missedCrawls: kind.includes('missed') ? 1 : 0,
  }));
}

const cases: [
  what: string,
  kinds: string[],
  isComplete: boolean,
  removed: string[],
  missed: string[],
  isTold: boolean,
][] = [
  ['a site without pages', [], true, [], [], false],
  ['all is there', ['ok', 'ok'], true, [], [], false],
  ['one is gone', ['ok', 'gone'], true, ['gone 1'], [], false],
  ['one is not listed for the first time', ['ok', 'unlisted'], true, [], ['unlisted 1'], false],
  ['one is not listed for the second time', ['ok', 'missed'], true, ['missed 1'], [], false],
  ['a part of the list cannot be read', ['ok', 'missed', 'unlisted', 'ok'], false, [], [], false],
  [
    'a part of the list cannot be read, and one is gone',
    ['ok', 'gone', 'missed', 'ok'],
    false,
    ['gone 1'],
    [],
    false,
  ],
  ['half of them are found', ['ok', 'ok', 'gone', 'missed'], true, ['gone 2', 'missed 3'], [], false],
  ['less than half are found', ['ok', 'ok', 'gone', 'missed', 'unlisted'], true, [], [], true],
  ['none is found', ['missed'], true, [], [], true],
  [
    'what was never indexed counts as nothing',
    ['ok', 'empty gone', 'empty gone', 'empty missed'],
    true,
    ['empty gone 1', 'empty gone 2', 'empty missed 3'],
    [],
    false,
  ],
  [
    'nothing was ever indexed',
    ['empty gone', 'empty unlisted'],
    true,
    ['empty gone 0'],
    ['empty unlisted 1'],
    false,
  ],
];

describe('changesOf a site', () => {
  for (const [what, kinds, isComplete, removed, missed, isTold] of cases) {
    it(`${what}: ${removed.length} removed, ${missed.length} missed`, () => {
      const changes = planSiteChanges(former(kinds), isComplete);
      assert.deepEqual([changes.removed, changes.missed, changes.note !== null], [removed, missed, isTold]);
    });
  }

  it('passes tags on, and keeps a page’s own, twenty in all', () => {
    assert.deepEqual(mergeSiteTags(['a', 'own'], ['a'], ['b']), ['b', 'own']);
    assert.deepEqual(mergeSiteTags(['own'], [], ['own', 'b']), ['own', 'b']);
    const many = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    assert.deepEqual(mergeSiteTags(['own'], [], many), many);
  });
});

describe('nextPages', () => {
  const root = 'http://site.example/';
  const pick = (lists: string[][], options: { room?: number; known?: string[] } = {}) =>
    selectNextPages({
      root,
      links: lists.map((urls) =>
        urls.map((url) => ({ url: new URL(url, root).href, isNofollow: url.includes('ad') })),
      ),
      known: new Set(options.known ?? []),
      room: options.room ?? 10,
      findRefusal: (url) => (url.includes('/private') ? 'Refused.' : null),
    });
  const pathsOf = (urls: string[]) => urls.map((url) => url.replace('http://site.example', ''));

  it('takes each page once, of this host alone, and says why it leaves out others', async () => {
    const { urls, skipped } = await pick(
      [
        ['/a', '/a/', 'https://www.site.example/a', 'http://other.example/', 'http://site.example:8080/'],
        ['/private', '/ad', '/b.png', '/c'],
      ],
      { known: ['site.example:/c'] },
    );
    assert.deepEqual(pathsOf(urls), ['/a']);
    assert.deepEqual(
      skipped.map(({ url, reason }) => [url.replace('http://site.example', ''), reason]),
      [
        ['/private', 'Refused.'],
        ['/ad', 'The links to it say nofollow.'],
        ['/b.png', 'This is a file without text.'],
      ],
    );
  });

  it('lets pages and shapes take turns, so that a calendar crowds out nothing', async () => {
    const months = Array.from({ length: 12 }, (_, month) => `/calendar/2026/${month}`);
    const { urls, overLimit } = await pick([months, ['/about', '/news?id=1', '/news?id=2']], { room: 4 });
    assert.deepEqual(pathsOf(urls), ['/calendar/2026/0', '/about', '/news?id=1', '/calendar/2026/1']);
    assert.equal(overLimit, 11);
  });

  itInSoak('holds the event loop for less than 50 ms with the links of two hundred pages', async () => {
    const links = Array.from({ length: 200 }, (_, page) =>
      Array.from({ length: 4000 }, (_, link) => ({
        url: `${root}${page}/${link}/page`,
        isNofollow: false,
      })),
    );
    let found = 0;
    const { blockedMs: heldMs } = await measureLoop(async () => {
      const next = await selectNextPages({
        root,
        links,
        known: new Set(),
        room: 200,
        findRefusal: () => null,
      });
      found = next.urls.length;
    });
    assert.equal(found, 200);
    assert.ok(heldMs < 50, `${heldMs} ms`);
  });
});
