import { operationIds } from './call-operation.ts';
import { UsageError } from './command.ts';
import { commands } from './commands.ts';

/** @throws UsageError for an unknown shell */
export function renderCompletion(shell: string | undefined): string {
  if (shell !== 'bash' && shell !== 'zsh') throw new UsageError('Usage: parley completion bash | zsh');
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')), 'completion'];
  const cases = first.map((word) => `    ${word}) words="${listSecondWords(word).join(' ')}" ;;\n`).join('');
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_parley() {
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${first.join(' ')}"
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
${cases}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parley parley
`;
}

function listSecondWords(first: string): readonly string[] {
  if (first === 'api') return operationIds;
  if (first === 'completion') return ['bash', 'zsh'];
  return commands
    .map(({ name }) => name.split(' '))
    .flatMap(([word, next]) => (word === first && next ? [next] : []));
}
