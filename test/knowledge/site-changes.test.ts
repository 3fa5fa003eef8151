import assert from 'node:assert/strict';
import { selectNextPages } from '../../services/knowledge/crawling/link-frontier.ts';
import {
  planSiteChanges,
  mergeSiteTags,
  type PreviousPage,
} from '../../services/knowledge/crawling/site-changes.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';

/**
 * Builds pages as a previous crawl of a website found them: `ok`, `gone`, `unlisted`, or `missed` (once
 * before). An `empty` page was never indexed.
 */
function buildPreviousPages(kinds: string[]): PreviousPage[] {
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
  ['the site has no pages', [], true, [], [], false],
  ['all pages are found', ['ok', 'ok'], true, [], [], false],
  ['a page is gone', ['ok', 'gone'], true, ['gone 1'], [], false],
  ['a page is unlisted for the first time', ['ok', 'unlisted'], true, [], ['unlisted 1'], false],
  ['a page is unlisted for the second time', ['ok', 'missed'], true, ['missed 1'], [], false],
  ['part of the list cannot be read', ['ok', 'missed', 'unlisted', 'ok'], false, [], [], false],
  [
    'part of the list cannot be read, and a page is gone',
    ['ok', 'gone', 'missed', 'ok'],
    false,
    ['gone 1'],
    [],
    false,
  ],
  ['half of the pages are found', ['ok', 'ok', 'gone', 'missed'], true, ['gone 2', 'missed 3'], [], false],
  ['less than half of the pages are found', ['ok', 'ok', 'gone', 'missed', 'unlisted'], true, [], [], true],
  ['no page is found', ['missed'], true, [], [], true],
  [
    'pages were never indexed',
    ['ok', 'empty gone', 'empty gone', 'empty missed'],
    true,
    ['empty gone 1', 'empty gone 2', 'empty missed 3'],
    [],
    false,
  ],
  [
    'no page was ever indexed',
    ['empty gone', 'empty unlisted'],
    true,
    ['empty gone 0'],
    ['empty unlisted 1'],
    false,
  ],
];

describe('planSiteChanges', () => {
  for (const [what, kinds, isComplete, removed, missed, isTold] of cases) {
    it(`returns ${removed.length} removed and ${missed.length} missed pages if ${what}`, () => {
      const changes = planSiteChanges(buildPreviousPages(kinds), isComplete);
      assert.deepEqual([changes.removed, changes.missed, changes.note !== null], [removed, missed, isTold]);
    });
  }
});

describe('mergeSiteTags', () => {
  it('replaces the site’s tags and keeps a page’s own tags, up to twenty in all', () => {
    assert.deepEqual(mergeSiteTags(['a', 'own'], ['a'], ['b']), ['b', 'own']);
    assert.deepEqual(mergeSiteTags(['own'], [], ['own', 'b']), ['own', 'b']);
    const many = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    assert.deepEqual(mergeSiteTags(['own'], [], many), many);
  });
});

describe('selectNextPages', () => {
  const root = 'http://site.example/';
  const selectFrom = (lists: string[][], options: { room?: number; known?: string[] } = {}) =>
    selectNextPages({
      root,
      links: lists.map((urls) =>
        urls.map((url) => ({ url: new URL(url, root).href, isNofollow: url.includes('ad') })),
      ),
      visitedKeys: new Set(options.known ?? []),
      maxUrls: options.room ?? 10,
      findRefusal: (url) => (url.includes('/private') ? 'Refused.' : null),
    });
  const toPaths = (urls: string[]) => urls.map((url) => url.replace('http://site.example', ''));

  it('selects each page of the host once, and gives the reasons for skipping other pages', async () => {
    const { urls, skipped } = await selectFrom(
      [
        ['/a', '/a/', 'https://www.site.example/a', 'http://other.example/', 'http://site.example:8080/'],
        ['/private', '/ad', '/b.png', '/c'],
      ],
      { known: ['site.example:/c'] },
    );
    assert.deepEqual(toPaths(urls), ['/a']);
    assert.deepEqual(
      skipped.map(({ url, reason }) => [url.replace('http://site.example', ''), reason]),
      [
        ['/private', 'Refused.'],
        ['/ad', 'The links to this page are marked nofollow.'],
        ['/b.png', 'This is a file without text.'],
      ],
    );
  });

  it('alternates between pages and URL patterns, so that a calendar does not crowd out other pages', async () => {
    const months = Array.from({ length: 12 }, (_, month) => `/calendar/2026/${month}`);
    const { urls, overLimit } = await selectFrom([months, ['/about', '/news?id=1', '/news?id=2']], {
      room: 4,
    });
    assert.deepEqual(toPaths(urls), ['/calendar/2026/0', '/about', '/news?id=1', '/calendar/2026/1']);
    assert.equal(overLimit, 11);
  });

  itInSoak('blocks the event loop for less than 50 ms with the links of two hundred pages', async () => {
    const links = Array.from({ length: 200 }, (_, page) =>
      Array.from({ length: 4000 }, (_, link) => ({
        url: `${root}${page}/${link}/page`,
        isNofollow: false,
      })),
    );
    let found = 0;
    await assertLoopBlockedBelow(50, async () => {
      const next = await selectNextPages({
        root,
        links,
        visitedKeys: new Set(),
        maxUrls: 200,
        findRefusal: () => null,
      });
      found = next.urls.length;
    });
    assert.equal(found, 200);
  });
});
