import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { commands } from '../../sdk/typescript/src/cli/commands.ts';
import { terminal } from './command-line.ts';

const { run } = terminal({ PARLEY_URL: 'no address' });
/** Words before the cursor, the last of which is completed, and what completes it. */
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

function completeInBash(script: string, line: string): string {
  const words = ['parley', ...line.split(' ')].map((word) => `'${word}'`);
  const asked = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _parley; echo "\${COMPREPLY[*]}"`;
  return execFileSync('bash', ['-c', `${script}\n${asked}`], { encoding: 'utf8' });
}

const sortWords = (words: string) => words.split(/\s+/).filter(Boolean).sort().join(' ');

describe('`parley completion`', () => {
  for (const [line, words] of completions)
    it(`bash completes ${JSON.stringify(line)}`, async () => {
      const { out, err } = await run(['completion', 'bash']);
      assert.equal(err, '');
      assert.equal(sortWords(completeInBash(out, line)), words);
    });

  it('zsh gets the script of bash', async () => {
    const [zsh, bash] = [await run(['completion', 'zsh']), await run(['completion', 'bash'])];
    assert.equal(zsh.out, `autoload -U +X bashcompinit && bashcompinit\n${bash.out}`);
  });

  it('fish gets each command once, and each option with its description', async () => {
    const { out } = await run(['completion', 'fish']);
    const lines = new Set(out.split('\n'));
    assert.ok(lines.has("complete -c parley -f -n '__parley_follows' -a 'knowledge'"));
    assert.ok(lines.has("complete -c parley -f -n '__parley_follows bots' -a 'list' -d 'All bots.'"));
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
