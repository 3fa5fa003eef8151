import { UsageError, type Command } from './command.ts';
import { COMMON_OPTIONS } from './help.ts';
import { findNearest, suggest } from '../nearest.ts';

/** Words with which a shell completes the command line. */
interface Vocabulary {
  commands: readonly Command[];
  /** Ids of API operations, which follow `parley api` in the command line. */
  operationIds: readonly string[];
}

const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish };

/** Names of the shells for which the command line has completions. */
export const shells: readonly string[] = Object.keys(renderers);

/** @throws UsageError for an unknown shell */
export function renderCompletion(shell: string, vocabulary: Vocabulary): string {
  if (!Object.hasOwn(renderers, shell))
    throw new UsageError(
      `There is no completion for ${shell}.${suggest(findNearest(shell, shells))}\nUsage: parley completion ${shells.join(' | ')}`,
    );
  return renderers[shell as keyof typeof renderers](vocabulary);
}

function renderBash(vocabulary: Vocabulary): string {
  const { commands } = vocabulary;
  const first = listFirstWords(commands);
  const next = first.flatMap((word) => {
    const words = listSecondWords(word, vocabulary);
    return words.length === 0 ? [] : [`      ${word}) words="${words.join(' ')}" ;;\n`];
  });
  const options = listCalls(commands).map(({ words: [word = '', second = ''], command }) => {
    const pattern = second === '' ? `"${word} "*` : `"${word} ${second}"`;
    return `      ${pattern}) words="${listOptions(command).join(' ')}" ;;\n`;
  });
  return `_parley() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${first.join(' ')}"
  elif [ "\${current#-}" != "$current" ]; then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${options.join('')}      *) words="--help" ;;
    esac
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
${next.join('')}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _parley parley
`;
}

function renderZsh(vocabulary: Vocabulary): string {
  return `(( $+functions[compdef] )) || { autoload -U compinit && compinit }
autoload -U +X bashcompinit && bashcompinit
${renderBash(vocabulary)}`;
}

function renderFish(vocabulary: Vocabulary): string {
  const { commands } = vocabulary;
  const first = listFirstWords(commands).map((word) => {
    const [command] = commands.filter(({ name }) => name === word);
    return renderFishWords('__parley_follows', [word], command?.about);
  });
  const next = listFirstWords(commands).flatMap((word) => {
    const groupCalls = listCalls(commands).filter(({ words }) => words[0] === word && words.length > 1);
    return groupCalls.length > 0
      ? groupCalls.map(({ words: [, second = ''], command }) =>
          renderFishWords(`__parley_follows ${word}`, [second], command.about),
        )
      : listSecondWords(word, vocabulary).length > 0
        ? [renderFishWords(`__parley_follows ${word}`, listSecondWords(word, vocabulary), undefined)]
        : [];
  });
  const options = listCalls(commands).flatMap(({ words, command }) =>
    Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(
      ([option, { type, about }]) =>
        `complete -c parley -n '__parley_calls ${words.join(' ')}' -l ${option}${type === 'string' ? ' -r' : ''} -d ${quote(about)}\n`,
    ),
  );
  return `function __parley_words
  set -l words (commandline -opc)
  set -e words[1]
  printf "%s\\n" "$words"
end
function __parley_follows
  test (__parley_words) = "$argv"
end
function __parley_calls
  string match -q -- "$argv *" (__parley_words)" "
end
${[...first, ...next, ...options].join('')}`;
}

function renderFishWords(condition: string, words: readonly string[], about: string | undefined): string {
  const description = about === undefined ? '' : ` -d ${quote(about)}`;
  return `complete -c parley -f -n '${condition}' -a '${words.join(' ')}'${description}\n`;
}

/** Quotes a text for the shell fish. */
function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

/** Returns each name and alias of the commands as a list of words. */
function listCalls(commands: readonly Command[]): { words: readonly string[]; command: Command }[] {
  return commands.flatMap((command) =>
    [command.name, command.alias].flatMap((name) =>
      name === undefined ? [] : [{ words: name.split(' '), command }],
    ),
  );
}

function listFirstWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
}

function listSecondWords(first: string, { commands, operationIds }: Vocabulary): readonly string[] {
  if (first === 'api') return operationIds;
  if (first === 'completion') return shells;
  return listCalls(commands).flatMap(({ words: [word, second] }) =>
    word === first && second !== undefined ? [second] : [],
  );
}

function listOptions({ options }: Command): string[] {
  return Object.keys({ ...options, ...COMMON_OPTIONS }).map((option) => `--${option}`);
}
