import type { Text, TextKind } from './read-texts.ts';

interface Rule {
  name: string;
  kinds: readonly TextKind[];
  /** Returns a description of the problem; undefined if the text follows the writing rule. */
  check: (text: string) => string | undefined;
}

const MAX_SENTENCE_WORDS = 25;
const OBLIQUE =
  /^(Of|What|Who|Whoever|Whom|Whose|Those|That|The same|By|To (?!do|make|avoid|ensure|prevent)|From|In|At|For|Besides?|Between|Beyond|Until|With|Without|Behind|As|So|Such|One|None|Nobody|Somebody|Anybody|They|Both|Few|Fewer|More|Less|Once|Only|Since|Whatever|However|Where)\b/;
const FORBIDDEN =
  /\b(whoever|whomever|nobody|somebody|anybody|anew|for good|be it|as it is|what is there|there are any|that there (is|are)|no more than that|is no more|are no more|there no more|(is|are|was|were) told|told apart|as ever|is heard|gives? way|comes? to nothing|takes? over from)\b/i;
/** Matches British spellings that are no words of another language. */
const BRITISH =
  /\b((mis)?behaviours?|(dis)?colour\w*|favour\w*|honour\w*|neighbour\w*|cancell(ed|ing)(?!:)|labell(ed|ing)|signall(ed|ing)|travell\w+|modell(ed|ing)|totalled|greys?|judgements?|towards|whilst|mailed)\b/i;
/** Matches British spellings, and spellings of “email”, that are words of another language. */
const BRITISH_IN_ENGLISH =
  /\b(catalogues?|centred?|licence\w*|defence|analysed?|recognis\w+|organis\w+|initialis\w+|serialis\w+|normalis\w+|authoris\w+|summaris\w+|synchronis\w+|e-mails?|mails|(?:a|an|the|by|each|another|this) mail(?! (?:server|client|program|transport)))\b/i;
/** Matches a quoted word or code, such as the value of a field. Words in quotes are not checked. */
const QUOTED_WORD = /"\w+"|'[\w.]+'|`[^`]*`/g;
const OBLIQUE_TAG =
  /^@(param \S+|returns?)( -)? (of|what|who|whose|those|that|as|so|by|to|in|for|with|where|until|from|at)\b/i;
/**
 * Matches function names that begin with a participle, such as `kept`; functions are named by imperative
 * verbs.
 */
const PARTICIPLE =
  /^#?(?!(?:need|embed|feed|succeed|exceed|proceed|speed)$)(?:[a-z]+ed|kept|told|begun|shown|held|taken|given|brought|made|found|seen|left|lost|sent|met|known|written|drawn|spent|meant|gone|done)$/;
const ABBREVIATION = /\b(e\.g|i\.e|etc|vs|No|a\.m|p\.m)\.$/;

/** Writing rules that a program can check. CONTRIBUTING.md has all other rules. */
const rules: readonly Rule[] = [
  {
    name: 'opening',
    kinds: ['comment'],
    check: (text) =>
      OBLIQUE.test(text) ? 'begin with a verb, or with the noun that it is about' : undefined,
  },
  {
    name: 'tag',
    kinds: ['tag'],
    check: (text) => (OBLIQUE_TAG.test(text) ? 'say what it is, beginning with a noun' : undefined),
  },
  {
    name: 'word',
    kinds: ['comment', 'tag', 'string', 'title', 'page'],
    check: (text) => {
      const found = FORBIDDEN.exec(text.replaceAll(QUOTED_WORD, ''))?.[0];
      return found && `name the actor or use the plain word instead of "${found}"`;
    },
  },
  {
    name: 'spelling',
    kinds: ['comment', 'tag', 'string', 'title', 'page'],
    check: (text) => reportSpelling(BRITISH, text),
  },
  {
    name: 'spelling',
    kinds: ['comment', 'tag', 'title', 'page'],
    check: (text) => reportSpelling(BRITISH_IN_ENGLISH, text),
  },
  {
    name: 'sentence',
    kinds: ['comment', 'tag', 'page'],
    check: (text) => {
      const longest = Math.max(...sentences(text).map((sentence) => sentence.split(/\s+/).length));
      return longest > MAX_SENTENCE_WORDS
        ? `a sentence has ${longest} words; ${MAX_SENTENCE_WORDS} at most`
        : undefined;
    },
  },
  {
    name: 'function',
    kinds: ['function'],
    check: (name) => (/[a-z]Of$/.test(name) ? `name ${name} by a verb, or as a predicate` : undefined),
  },
  {
    name: 'participle',
    kinds: ['function'],
    check: (name) => (PARTICIPLE.test(name) ? `name ${name} by a verb` : undefined),
  },
  {
    name: 'constant',
    kinds: ['constant'],
    check: (name) =>
      /^(MOST|LEAST|LONGEST|SHORTEST|FEWEST)_/.test(name) ? `name ${name} MAX_… or MIN_…` : undefined,
  },
];

function reportSpelling(pattern: RegExp, text: string): string | undefined {
  const found = pattern.exec(text.replaceAll(QUOTED_WORD, ''))?.[0];
  return found && `use the American spelling instead of "${found}", and "email" for every form of mail`;
}

/** A violation of a writing rule, with its position in the file. */
export interface Finding {
  rule: string;
  line: number;
  message: string;
  text: string;
}

export function findViolations(texts: readonly Text[]): Finding[] {
  return texts.flatMap(({ kind, line, text }) =>
    rules
      .filter(({ kinds }) => kinds.includes(kind))
      .flatMap(({ name, check }) => {
        const message = check(text);
        return message === undefined ? [] : [{ rule: name, line, message, text }];
      }),
  );
}

/** Splits text into sentences. Each quotation or piece of code counts as one word. */
function sentences(text: string): string[] {
  const plain = text.replaceAll(/`[^`]*`|“[^”]*”/g, 'code').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const parts: string[] = [''];
  for (const word of plain.split(/\s+/)) {
    parts[parts.length - 1] += ` ${word}`;
    if (/[.!?:;]["’”)]?$/.test(word) && !ABBREVIATION.test(word)) parts.push('');
  }
  return parts.map((part) => part.trim());
}
