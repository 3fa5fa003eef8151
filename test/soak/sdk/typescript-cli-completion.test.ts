import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../../sdk/typescript/src/cli/commands.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { terminal } from '../../sdk/command-line.ts';

const { run } = terminal({ PARLEY_URL: 'no address' });
/** Command lines, of which the last word is completed, and the words that complete it. */
const completions: readonly (readonly [line: string, words: string])[] = [
  ['kn', 'knowledge'],
  ['bots ', 'create delete get list show update'],
  ['bots up', 'update'],
  ['completion ', 'bash fish zsh'],
  ['api createBot', 'createBot'],
  ['api --li', '--list'],
  ['bots create Shop --a', '--active'],
  ['knowledge sync b1 docs --', '--encoding --force --help --json --name --timeout --wait'],
  ['webhooks --', '--help'],
  ['login --', '--help --json --key --no-browser'],
];

/** Command lines whose last word has only one completion. */
const uniqueCompletions: readonly (readonly [line: string, word: string])[] = [
  ['kn', 'knowledge'],
  ['bots up', 'update'],
  ['completion z', 'zsh'],
  ['api listBots', 'listBots'],
  ['bots create Shop --ac', '--active'],
];

function completeInBash(script: string, line: string): string {
  const words = ['parley', ...line.split(' ')].map((word) => `'${word}'`);
  const asked = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _parley; echo "\${COMPREPLY[*]}"`;
  return execFileSync('bash', ['-c', `${script}\n${asked}`], { encoding: 'utf8' });
}

/** Presses Tab and Enter after each line in an interactive zsh. Returns the arguments that `parley` gets. */
function completeInZsh(script: string, lines: readonly string[]): string[] {
  const folder = makeTemporaryFolder();
  writeFileSync(join(folder, 'completion'), script);
  const called = `parley() { print -r -- "$*" >> ${folder}/called }`;
  writeFileSync(join(folder, '.zshrc'), `source ${folder}/completion\n${called}\n`);
  const type = lines.map((line) => `zpty -w shell 'parley ${line}'$'\\t'`);
  const shell = ['zmodload zsh/zpty', `zpty shell "ZDOTDIR=${folder} zsh -i"`, ...type, 'zpty -w shell exit'];
  execFileSync('zsh', ['-fc', `${shell.join('\n')}\nzpty -r shell output $'\\0'`]);
  return readFileSync(join(folder, 'called'), 'utf8').trim().split('\n');
}

/** Returns the words that the shell fish suggests, without their descriptions. */
function completeInFish(script: string, line: string): string {
  const file = join(makeTemporaryFolder(), 'completion');
  writeFileSync(file, script);
  const args = ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', file, `parley ${line}`];
  return sortWords(execFileSync('fish', args, { encoding: 'utf8' }).replaceAll(/\t.*/g, ''));
}

/** Registers a test that needs a shell. Without the shell it is skipped, and the title says so. */
function itWithShell(shell: string, title: string, test: () => Promise<void>): void {
  if (spawnSync(shell, ['-c', 'true']).status === 0) it(`${shell} ${title}`, test);
  else it.skip(`${shell} ${title}: skipped without ${shell}`, test);
}

const sortWords = (words: string) => words.split(/\s+/).filter(Boolean).sort().join(' ');

describe('`parley completion`:', () => {
  for (const [line, words] of completions)
    it(`bash completes ${JSON.stringify(line)}`, async () => {
      const { out, err } = await run(['completion', 'bash']);
      assert.equal(err, '');
      assert.equal(sortWords(completeInBash(out, line)), words);
    });

  itWithShell('zsh', 'completes words, also without a configuration', async () => {
    const { out } = await run(['completion', 'zsh']);
    assert.deepEqual(
      completeInZsh(
        out,
        uniqueCompletions.map(([line]) => line),
      ),
      uniqueCompletions.map(([line, word]) => line.replace(/\S+$/, word)),
    );
  });

  itWithShell('fish', 'completes words', async () => {
    const { out } = await run(['completion', 'fish']);
    for (const [line, word] of uniqueCompletions) assert.equal(completeInFish(out, line), word);
  });

  it('fish suggests each command once, and each option with its description', async () => {
    const { out } = await run(['completion', 'fish']);
    const lines = new Set(out.split('\n'));
    assert.ok(lines.has("complete -c parley -f -n '__parley_follows' -a 'knowledge'"));
    assert.ok(lines.has("complete -c parley -f -n '__parley_follows bots' -a 'list' -d 'List all bots.'"));
    assert.ok(
      lines.has(
        "complete -c parley -n '__parley_calls knowledge add' -l title -r -d 'Title of the document.'",
      ),
    );
    for (const { name, options = {} } of commands)
      for (const option of Object.keys(options))
        assert.equal(
          out
            .split('\n')
            .filter((line) => line.startsWith(`complete -c parley -n '__parley_calls ${name}' -l ${option} `))
            .length,
          1,
          `${name} ${option}`,
        );
  });
});
