import assert from 'node:assert/strict';
import { parseRobots } from '../../../adapters/web/robots-rules.ts';
import { assertCpuBelow } from '../../support/cost.ts';
import { assertLoopBlockedBelow } from '../../support/loop-meter.ts';
import { itInSoak } from '../../support/it-in-soak.ts';

const SITE = 'https://site.example';
const parseLines = (...lines: string[]) => parseRobots(`${SITE}/robots.txt`, lines.join('\n'));
const isAllowed = async (path: string, ...lines: string[]) =>
  (await parseLines(...lines)).isAllowed(SITE + path);
const areAllowed = async (paths: string[], ...lines: string[]) => {
  const rules = await parseLines(...lines);
  return paths.map((path) => rules.isAllowed(SITE + path));
};

describe('parseRobots', () => {
  for (const [pattern, path, isMatch] of [
    ['/a', '/a', true],
    ['/a', '/abc/d', true],
    ['/a', '/b/a', false],
    ['/a$', '/a', true],
    ['/a$', '/ab', false],
    ['/*.pdf$', '/x/y.pdf', true],
    ['/*.pdf$', '/x/y.pdf?z', false],
    ['/*.pdf', '/x/y.pdf?z', true],
    ['/a*b*c', '/a-b-c-d', true],
    ['/a*b*c', '/a-c-b', false],
    ['*/private', '/x/private/y', true],
    ['/a*a$', '/a', false],
    ['/a*a$', '/aa', true],
    ['/a**', '/a', true],
    ['/*?id=', '/x?id=1', true],
    ['/caf%c3%a9', '/café', true],
    ['/café', '/caf%C3%A9', true],
    ['/a%2fb', '/a%2Fb', true],
  ] as const)
    it(`${isMatch ? 'disallows' : 'allows'} ${path} if ${pattern} is disallowed`, async () =>
      assert.equal(await isAllowed(path, 'User-agent: *', `Disallow: ${pattern}`), !isMatch));

  it('applies the longest rule, and Allow among rules of equal length', async () => {
    const lines = [
      'User-agent: *',
      'Disallow: /a',
      'Allow: /a/b',
      'Disallow: /a/b/c',
      'Allow: /x',
      'Disallow: /x',
    ];
    const paths = ['/a/1', '/a/b/1', '/a/b/c/1', '/x/1', '/y'];
    assert.deepEqual(await areAllowed(paths, ...lines), [false, true, false, true, true]);
  });

  it('uses the groups for ParleyBot, whatever the case and version, or otherwise the groups for all robots', async () => {
    const all = ['User-agent: *', 'Disallow: /'];
    assert.equal(await isAllowed('/a', ...all, 'User-Agent: parleyBOT/2.1', 'Disallow: /b'), true);
    assert.equal(await isAllowed('/a', ...all, 'user-agent: ParleyBot'), true);
    assert.equal(await isAllowed('/a', ...all, 'User-agent: ParleyBotX', 'Allow: /'), false);
    assert.equal(await isAllowed('/a', 'User-agent: other', 'User-agent: *', 'Disallow: /a'), false);
    assert.equal(await isAllowed('/a', 'User-agent: other', 'Disallow: /a', 'Disallow: /b'), true);
    const parts = [
      'User-agent: *',
      'Disallow: /a',
      'User-agent: x',
      'Disallow: /c',
      'User-agent: *',
      'Disallow: /b',
    ];
    assert.deepEqual(await areAllowed(['/a', '/b', '/c'], ...parts), [false, false, true]);
  });

  it('ignores comments, a byte order mark, and lines without a rule', async () => {
    const lines = [
      '\ufeffUser-agent: * # all',
      '',
      'nonsense',
      ': x',
      'Disallow: /a # not this',
      'Disallow:',
      'Foo: /b',
    ];
    assert.deepEqual(await areAllowed(['/a', '/b'], ...lines), [false, true]);
  });

  it('allows URLs of other sites, and resolves sitemaps to whole addresses', async () => {
    const rules = await parseLines(
      'Sitemap: /s.xml',
      'User-agent: *',
      'Disallow: /',
      'sitemap: http://other.example/s',
    );
    assert.deepEqual(rules.sitemaps, [`${SITE}/s.xml`, 'http://other.example/s']);
    assert.equal(rules.isAllowed('https://other.example/'), true);
    assert.equal(rules.isAllowed('http://site.example/'), true);
  });

  it('limits the crawl delay to 5 s, and reads an invalid delay as 0', async () => {
    const parseDelay = async (value: string) =>
      (await parseLines('User-agent: *', `Crawl-delay: ${value}`)).crawlDelayMs;
    const delays = await Promise.all(['1.5', '1000', '-1', 'x', 'Infinity', ''].map(parseDelay));
    assert.deepEqual(delays, [1500, 5000, 0, 0, 5000, 0]);
  });

  const size = 128 * 1024;
  for (const [name, text] of [
    ['agents before rules', `${'User-agent: a\n'.repeat(3000)}User-agent: *\n${'Allow: /\n'.repeat(9000)}`],
    ['agents for all', `${'User-agent: *\n'.repeat(3000)}${'Allow: /\n'.repeat(9000)}`],
    ['wildcards', `User-agent: *\n${`Allow: /${'*a'.repeat(500)}b\n`.repeat(130)}`],
    ['long parts', `User-agent: *\n${`Allow: /*b${'a'.repeat(950)}\n`.repeat(130)}`],
    ['rules', `User-agent: *\n${'Allow: /aaaa\n'.repeat(10_000)}`],
    ['long rules', `User-agent: *\n${`Allow: /${'a'.repeat(1800)}b\n`.repeat(70)}`],
    ['blanks', `User-agent: *\nAllow: ${' '.repeat(size)}`],
    ['escapes', `User-agent: *\nAllow: /${'%2f'.repeat(40_000)}`],
  ] as const)
    itInSoak(
      `blocks the event loop for less than 50 ms for too many ${name}; isAllowed then takes less than 20 ms`,
      async () => {
        let rules = await parseRobots(`${SITE}/robots.txt`, '');
        await assertLoopBlockedBelow(50, async () => {
          rules = await parseRobots(`${SITE}/robots.txt`, text.slice(0, size));
        });
        const address = `${SITE}/${'a'.repeat(1900)}`;
        assertCpuBelow(20, () => rules.isAllowed(address));
      },
    );
});
