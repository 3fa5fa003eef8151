import assert from 'node:assert/strict';
import { join } from 'node:path';
import { assertOutput, findOutputEnd } from '../support/guides/expected-output.ts';
import { GuideError, parseGuideBlocks, planGuideSteps } from '../support/guides/guide-blocks.ts';
import { GuideShell } from '../support/guides/guide-shell.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const parseSteps = (...blocks: [info: string, code: string][]) =>
  planGuideSteps(
    parseGuideBlocks(blocks.map(([info, code]) => `\`\`\`${info}\n${code}\n\`\`\`\n`).join('\n')),
  );

describe('blocks of a guide', () => {
  it('are run, written, started, watched or compared', () => {
    const steps = parseSteps(
      ['js title="receiver.mjs"', 'listen();'],
      ['sh background="receiver"', 'node receiver.mjs'],
      ['text', 'ready'],
      ['sh', 'curl http://localhost:4242'],
      ['json', '{}'],
      ['text from="receiver"', 'asked'],
    );
    assert.deepEqual(
      steps.map((step) => step.kind),
      ['write', 'start', 'watch', 'run', 'watch'],
    );
  });

  const amiss: [why: string, problem: RegExp, ...blocks: [info: string, code: string][]][] = [
    ['of a language that is neither run nor shown', /line 1: a block of ruby is a file/, ['ruby', 'puts 1']],
    ['without a language', /line 1: a block has a language/, ['', 'npm start']],
    ['with an unknown attribute', /line 1: a block has no skip/, ['sh skip', 'npm start']],
    ['of output without a command before it', /line 1: output follows what prints it/, ['json', '{}']],
    [
      'of a file that is not used',
      /line 1: no later block uses a\.js/,
      ['js title="a.js"', ''],
      ['sh', 'true'],
    ],
    [
      'of a background program without a sign of readiness',
      /line 1: the block below shows/,
      ['sh background="a"', 'cat'],
    ],
  ];
  for (const [why, problem, ...blocks] of amiss)
    it(`refuse a block ${why}`, () => {
      assert.throws(
        () => parseSteps(...blocks),
        (error) => error instanceof GuideError && problem.test(error.message),
      );
    });

  it('must begin at the margin, so that none is overlooked', () =>
    assert.throws(
      () => parseGuideBlocks('- one\n\n  ```sh\n  true\n  ```\n'),
      /line 3: a block begins at the margin/,
    ));
});

describe('the expected output of a guide', () => {
  const compare = (language: string, code: string, printed: string) =>
    assertOutput({ line: 1, language, code: `${code}\n` }, printed);

  for (const [language, shown, printed] of [
    ['text', 'one …\n…\nlast', 'one two\nlast\n'],
    ['text', 'one …\n…\nlast', 'one two\na\nb\nlast\n'],
    ['http', 'X-Request-ID: req_…', 'X-Request-ID: req_1\r\n'],
    ['json', '{ "id": "…", "items": [1, …], … }', '{"items":[1,2],"id":"x","more":null}'],
    ['json', '{ "title": "a … z", "any": … }', '{"title":"a b z","any":[]}'],
  ] as const)
    it(`matches ${JSON.stringify(printed)}`, () => compare(language, shown, printed));

  for (const [language, shown, printed] of [
    ['text', 'one', 'one\ntwo\n'],
    ['text', 'a.c', 'abc\n'],
    ['json', '{ "id": 1 }', '{"id":1,"more":2}'],
    ['json', '[1]', '[1,2]'],
    ['json', '{ "title": "a …" }', '{"title":"b a c"}'],
    ['json', '{}', 'no JSON'],
  ] as const)
    it(`does not match ${JSON.stringify(printed)} if it is ${JSON.stringify(shown)}`, () =>
      assert.throws(() => compare(language, shown, printed), assert.AssertionError));

  it('matches whole lines while more may follow', () => {
    const end = (printed: string) => findOutputEnd({ line: 1, language: 'text', code: 'ready\n' }, printed);
    assert.deepEqual(
      [end('warming up\nready\nmore'), end('rea'), end('not ready\n')],
      [17, undefined, undefined],
    );
  });
});

describe('the shell of a guide', () => {
  const shells: GuideShell[] = [];
  const shell = () => {
    const made = new GuideShell(join(makeTemporaryFolder(), 'work'), { PATH: process.env['PATH'] });
    shells.push(made);
    return made;
  };
  afterEach(() => Promise.all(shells.splice(0).map((each) => each.end())));

  it('keeps variables and the folder from block to block', async () => {
    const bash = shell();
    await bash.run('mkdir inner && cd inner && A=1');
    await bash.write('file.txt', 'there');
    assert.equal(await bash.run('echo "$A $(cat file.txt)"'), '1 there\n');
  });

  it('fails with the output, at the first command that fails', async () =>
    assert.rejects(
      shell().run('echo before; false | cat; echo after'),
      /It fails, and has printed:\nbefore\n$/,
    ));

  it('passes exported variables, and no other variables, to background programs', async () => {
    const bash = shell();
    await bash.run('A=1; export B=2');
    await bash.start('other', 'echo "${A-none} $B"; sleep 60');
    await bash.watch('other', (printed) => (printed.includes('none 2\n') ? printed.length : undefined));
  });
});
