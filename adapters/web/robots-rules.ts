import { pauseIfDue } from '../../core/concurrency/loop-slices.ts';
import { parseLink } from './parse-link.ts';

/** Rules in a site's robots.txt file that apply to Parley. */
export interface RobotsRules {
  /**
   * Delay between two requests to the site in milliseconds; at most five seconds even if the file asks for
   * more.
   */
  crawlDelayMs: number;
  isAllowed(url: string): boolean;
  /** URLs of the sitemaps that the robots.txt file names. */
  sitemaps: string[];
}

export const EVERYTHING_ALLOWED: RobotsRules = { crawlDelayMs: 0, isAllowed: () => true, sitemaps: [] };

/** Parley's user agent in lower case, since robots.txt ignores case. */
const OUR_AGENT = 'parleybot';
const MAX_CRAWL_DELAY_MS = 5_000;
/**
 * Maximum number of rules that are read of a robots.txt file. Each is compared with every URL, and a sitemap
 * may list half a million.
 */
const MAX_RULES = 2_000;
/**
 * Maximum number of characters of all robots.txt patterns with wildcards together: comparing them takes
 * longer than comparing a prefix.
 */
const MAX_WILDCARD_LENGTH = 8 * 1024;
const MAX_SITEMAPS = 100;

interface Rule {
  isAllowed: boolean;
  length: number;
  matches(path: string): boolean;
}

/** Rules of a robots.txt file for one user agent. */
interface Group {
  rules: Rule[];
  crawlDelaySeconds: number;
  wildcardLength: number;
}

/**
 * Parses a robots.txt (RFC 9309) in linear time. Only stores the groups for Parley and for all agents (`*`).
 * Yields to the event loop in between.
 */
export async function parseRobots(url: string, text: string): Promise<RobotsRules> {
  const { origin } = new URL(url);
  const groups = new Map<string, Group>();
  const sitemaps: string[] = [];
  let current: Group[] = [];
  let isAgentLine = false;
  for (const [name, value] of readRobotsFields(text)) {
    await pauseIfDue();
    if (name === 'user-agent') {
      if (!isAgentLine) current = [];
      const group = findOrAddGroup(groups, value);
      if (group && !current.includes(group)) current.push(group);
    } else if (name === 'allow' || name === 'disallow') {
      for (const group of current) addRule(group, value, name === 'allow');
    } else if (name === 'crawl-delay') {
      for (const group of current) group.crawlDelaySeconds = Number(value) || group.crawlDelaySeconds;
    } else if (name === 'sitemap' && sitemaps.length < MAX_SITEMAPS) {
      const sitemap = parseLink(value, url);
      if (sitemap !== null) sitemaps.push(sitemap.href);
    }
    isAgentLine = name === 'user-agent';
  }
  const group = groups.get(OUR_AGENT) ?? groups.get('*') ?? createGroup();
  // Sort the rules so that the first match decides: the longest rule, and of equally long rules the allowing
  // rule (RFC 9309, 2.2.2).
  const rules = group.rules.toSorted(
    (one, other) => other.length - one.length || Number(other.isAllowed) - Number(one.isAllowed),
  );
  return {
    crawlDelayMs: Math.min(Math.max(group.crawlDelaySeconds * 1000, 0), MAX_CRAWL_DELAY_MS),
    isAllowed: (target) => {
      const address = URL.canParse(target, url) ? new URL(target, url) : undefined;
      if (address?.origin !== origin) return true;
      const path = upperCaseEscapes(address.pathname + address.search);
      return rules.find((rule) => rule.matches(path))?.isAllowed ?? true;
    },
    sitemaps,
  };
}

function* readRobotsFields(text: string): Generator<[name: string, value: string]> {
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n?|\n/)) {
    const comment = line.indexOf('#');
    const content = comment < 0 ? line : line.slice(0, comment);
    const colon = content.indexOf(':');
    if (colon < 1) continue;
    yield [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()];
  }
}

/**
 * Returns the group of robots.txt rules for a user agent, or undefined if the group does not concern Parley.
 * Ignores a version after the agent's name.
 */
function findOrAddGroup(groups: Map<string, Group>, value: string): Group | undefined {
  const [agent = ''] = value.toLowerCase().split('/', 1);
  const name = agent.trim();
  if (name !== OUR_AGENT && name !== '*') return undefined;
  const group = groups.get(name) ?? createGroup();
  groups.set(name, group);
  return group;
}

function createGroup(): Group {
  return { rules: [], crawlDelaySeconds: 0, wildcardLength: 0 };
}

function addRule(group: Group, value: string, isAllowed: boolean): void {
  if (value === '' || group.rules.length >= MAX_RULES) return;
  const pattern = normalizePattern(value);
  if (pattern.includes('*')) {
    if (group.wildcardLength + pattern.length > MAX_WILDCARD_LENGTH) return;
    group.wildcardLength += pattern.length;
  }
  group.rules.push({ isAllowed, length: pattern.length, matches: compilePattern(pattern) });
}

/**
 * Compiles the path pattern of a robots.txt rule: `*` matches any text, and a `$` at the end matches the end
 * of the URL.
 */
function compilePattern(pattern: string): (path: string) => boolean {
  const isWhole = pattern.endsWith('$');
  const [beginning = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  const last = isWhole ? parts.pop() : undefined;
  return (path) => {
    if (!path.startsWith(beginning)) return false;
    let at = beginning.length;
    for (const part of parts) {
      const found = path.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    if (!isWhole) return true;
    return last === undefined ? path.length === at : path.length - last.length >= at && path.endsWith(last);
  };
}

function normalizePattern(pattern: string): string {
  if (/^[\w/.*$?=-]*$/.test(pattern)) return pattern;
  try {
    return upperCaseEscapes(encodeURI(pattern).replaceAll('%25', '%'));
  } catch {
    // Keep the pattern, which has a lone surrogate that cannot be encoded.
    return pattern;
  }
}

function upperCaseEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}
