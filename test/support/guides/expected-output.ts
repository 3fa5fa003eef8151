import assert from 'node:assert/strict';
import type { GuideBlock } from './guide-blocks.ts';

const ANYTHING = '…';

/**
 * Compares the output that a guide's block shows with the real output; `…` matches anything.
 * @throws AssertionError if they differ
 */
export function assertOutput({ language, code }: GuideBlock, printed: string): void {
  if (language === 'json') assertJson(parseLoosely(code), parsePrinted(printed), '$');
  else assert.match(`${printed.replaceAll('\r', '').trim()}\n`, new RegExp(`^${toLinePattern(code)}$`));
}

/** Returns the index in `printed` at which a block's expected output ends; undefined if it has not been printed yet. */
export function findOutputEnd({ code }: GuideBlock, printed: string): number | undefined {
  const found = new RegExp(`^${toLinePattern(code)}`, 'm').exec(printed);
  return found ? found.index + found[0].length : undefined;
}

/** Builds a pattern from a text in which `…` matches anything. */
export function toTextPattern(text: string): RegExp {
  return new RegExp(
    text
      .split(ANYTHING)
      .map((part) => escapePattern(part.trim()))
      .join('[^]*'),
  );
}

/** Builds a pattern from whole lines. A line that is only `…` matches any number of lines. */
function toLinePattern(text: string): string {
  const lines = text.trim().split('\n');
  return lines
    .map((line) =>
      line === ANYTHING ? '(?:.*\\n)*?' : `${line.split(ANYTHING).map(escapePattern).join('.*')}\\n`,
    )
    .join('');
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const TOKEN = /"(?:[^"\\]|\\.)*"|([{,]\s*)…(?=\s*\})|…/g;

/** Parses JSON in which `…` stands for a value, for further items of a list, or for further members of an object. */
function parseLoosely(code: string): unknown {
  const whole = code.replaceAll(TOKEN, (token, before: string | undefined) => {
    if (before !== undefined) return `${before}"…":"…"`;
    return token === ANYTHING ? '"…"' : token;
  });
  return JSON.parse(whole) as unknown;
}

function parsePrinted(printed: string): unknown {
  try {
    return JSON.parse(printed) as unknown;
  } catch {
    return assert.fail(`The output is not JSON: ${printed}`);
  }
}

function assertJson(expected: unknown, actual: unknown, path: string): void {
  if (expected === ANYTHING) return;
  if (typeof expected === 'string' && expected.includes(ANYTHING)) {
    const pattern = new RegExp(`^${expected.split(ANYTHING).map(escapePattern).join('[^]*')}$`);
    assert.ok(typeof actual === 'string' && pattern.test(actual), `${path}: ${JSON.stringify(actual)}`);
  } else if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${path} is not a list`);
    const isOpen = expected.at(-1) === ANYTHING;
    const items = isOpen ? expected.slice(0, -1) : expected;
    assert.ok(
      isOpen ? actual.length >= items.length : actual.length === items.length,
      `${path}: ${JSON.stringify(actual)}`,
    );
    for (const [index, item] of items.entries()) assertJson(item, actual[index], `${path}[${index}]`);
  } else if (typeof expected === 'object' && expected !== null) {
    assertMembers(expected as Record<string, unknown>, actual, path);
  } else assert.ok(actual === expected, `${path}: ${JSON.stringify(actual)}`);
}

function assertMembers(expected: Record<string, unknown>, actual: unknown, path: string): void {
  assert.ok(typeof actual === 'object' && actual !== null, `${path} is not an object`);
  const { [ANYTHING]: more, ...members } = expected;
  const found = actual as Record<string, unknown>;
  if (more === undefined) assert.deepEqual(Object.keys(found).sort(), Object.keys(members).sort(), path);
  for (const [name, value] of Object.entries(members)) {
    assert.ok(name in found, `${path}.${name} is missing in ${JSON.stringify(found)}`);
    assertJson(value, found[name], `${path}.${name}`);
  }
}
