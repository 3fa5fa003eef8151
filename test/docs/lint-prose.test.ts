import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMarkdown, readTypeScript } from '../../scripts/prose/read-texts.ts';
import { findUnknownSymbols } from '../../scripts/prose/code-words.ts';
import { findViolations } from '../../scripts/prose/rules.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

describe('lint:prose', () => {
  const folder = makeTemporaryFolder();
  const lint = (name: string, source: string): string[] => {
    const path = join(folder, name);
    writeFileSync(path, source);
    const texts = name.endsWith('.md') ? readMarkdown(path) : readTypeScript(path);
    return findViolations(texts).map(({ rule, line }) => `${line} ${rule}`);
  };

  const refused: [what: string, source: string, findings: string[]][] = [
    ['a comment that begins with "Of"', '/** Of a bot. */\nexport const a = 1;', ['1 opening']],
    ['line comments that begin with "What"', 'f();\n// What is\n// left.', ['2 opening']],
    ['a parameter that is described by "of"', '/** Deletes it.\n * @param id of the bot */', ['1 tag']],
    ['a person in place of the actor', '/** Notifies whoever called. */', ['1 word']],
    ['a string that people read', 'throw new Error("It was sent to nobody at all.");', ['1 word']],
    [
      'a description with an oblique word',
      'const a = { description: `Sent anew when ${b} changes.` };',
      ['1 word'],
    ],
    ['the title of a test', 'it("is told of each change", () => {});', ['1 word']],
    ['a British spelling', '/** Mixes two colours. */', ['1 spelling']],
    ['a British spelling in a string', 'throw new Error("The request has been cancelled.");', ['1 spelling']],
    ['another spelling of email', '/** Sends an e-mail. */', ['1 spelling']],
    ['an email called a mail', '/** Sends the mail again. */', ['1 spelling']],
    ['a sentence of 26 words', `// It ${'is very '.repeat(12)}long.`, ['1 sentence']],
    [
      'a function that ends in "Of"',
      'const nameOf = () => 1;\nfunction textOf() {}',
      ['1 function', '2 function'],
    ],
    ['a method that ends in "Of"', 'class A {\n  #keyOf() {}\n}', ['2 function']],
    ['a bound that begins with "MOST"', 'const MOST_ROWS = 1;', ['1 constant']],
  ];
  for (const [what, source, findings] of refused)
    it(`refuses ${what}`, () => assert.deepEqual(lint('a.ts', source), findings));

  it('refuses the same words on a page, in paragraphs and in tables', () => {
    const page = '# Title\n\nSend it to somebody.\n\n| A | Done by nobody |\n';
    assert.deepEqual(lint('a.md', page), ['3 word', '5 word']);
  });

  const accepted: [what: string, source: string][] = [
    ['a comment that begins with a verb', '/** Returns the bot. Null if it was deleted. */'],
    ['a directive', '// oxlint-disable-next-line no-console'],
    ['code in a string', 'const a = "SELECT nobody FROM whoever WHERE anew";'],
    ['a French text', 'const a = "Ne plus recevoir ces e-mails du centre";'],
    ['a value between backticks', '/** The status `cancelled`. */'],
    ['a mail server', '/** Connects to the mail server. */'],
    ['an identifier', 'const nobody = "nobody";'],
    ['a sentence of 25 words', `// It ${'is very '.repeat(11)}long now.`],
  ];
  for (const [what, source] of accepted)
    it(`accepts ${what}`, () => assert.deepEqual(lint('a.ts', source), []));

  const symbols: [what: string, comment: string, findings: string[]][] = [
    ['refuses a symbol that no code has', '/** Calls `sendMail`. */', ['no code has sendMail']],
    ['refuses a member that no code has', '/** See `bot.owner`. */', ['no code has owner']],
    ['refuses a path that does not exist', '/** See `core/none.ts`. */', ['no code has core/none.ts']],
    ['accepts a symbol, a path and a word of another project', '/** `bot`, `core/ids.ts`, `rand_a` */', []],
    ['accepts an expression', '/** Returns `a + b`. */', []],
  ];
  for (const [title, comment, findings] of symbols)
    it(`${title} between backticks in a comment`, () => {
      const path = join(folder, 'symbols.ts');
      writeFileSync(path, comment);
      const found = findUnknownSymbols(readTypeScript(path), new Set(['bot']));
      assert.deepEqual(
        found.map(({ message }) => message),
        findings,
      );
    });

  it('accepts code on a page', () => {
    assert.deepEqual(lint('a.md', '```sh\necho nobody\n```\n'), []);
  });
});
