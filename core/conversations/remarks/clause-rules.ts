import type { SmallTalkKind } from './phrases/language-phrases.ts';
import type { WordClass } from './phrases/words/chat-words.ts';

export type ClauseClass = WordClass | SmallTalkKind;

/** Rule that gives a clause its meaning if its words are of all classes in `has` and of none in `lacks`. */
interface ClauseRule {
  kind: SmallTalkKind | 'wants_person';
  has: readonly ClauseClass[];
  lacks?: readonly ClauseClass[];
  /**
   * True if the clause may continue with any words after a conjunction or preposition, such as "about my
   * invoice".
   */
  mayContinue?: boolean;
}

/**
 * Rules that give clauses their meaning if they contain only chat words, in all languages. The first rule that
 * fits decides.
 */
export const clauseRules: readonly ClauseRule[] = [
  { kind: 'wants_person', has: ['not', 'bot', 'want'], lacks: ['insult', 'merit'] },
  { kind: 'wants_person', has: ['not', 'bot', 'contact'], lacks: ['insult', 'merit'] },
  {
    kind: 'wants_person',
    has: ['not', 'bot'],
    lacks: ['you', 'being', 'talking', 'insult', 'merit', 'complain', 'praise', 'speak', 'how', 'exists'],
  },
  { kind: 'wants_person', has: ['bot', 'human', 'want'] },
  { kind: 'asks_if_bot', has: ['bot', 'human'], lacks: ['contact', 'insult'] },
  { kind: 'asks_if_bot', has: ['talking', 'human'], lacks: ['want', 'insult', 'how'] },
  { kind: 'asks_if_bot', has: ['talking', 'person'], lacks: ['want', 'insult', 'how'] },
  { kind: 'asks_if_bot', has: ['talking', 'bot'], lacks: ['want', 'insult', 'not'] },
  { kind: 'asks_if_bot', has: ['being', 'human'], lacks: ['want', 'contact', 'insult'] },
  { kind: 'asks_if_bot', has: ['being', 'bot'], lacks: ['want', 'contact', 'insult', 'merit', 'complain'] },
  { kind: 'asks_language', has: ['exists', 'speak', 'language'] },
  { kind: 'wants_person', has: ['how', 'talking', 'person'], lacks: ['not', 'bot'] },
  { kind: 'wants_person', has: ['contact', 'person'], lacks: ['not', 'bot'], mayContinue: true },
  { kind: 'wants_person', has: ['call', 'me'], lacks: ['not', 'bot'], mayContinue: true },
  { kind: 'wants_person', has: ['want', 'human'], lacks: ['not'] },
  { kind: 'wants_person', has: ['exists', 'human'], lacks: ['not', 'bot'] },
  { kind: 'wants_person', has: ['handoff'], lacks: ['not', 'bot', 'how'] },
  { kind: 'wants_to_complain', has: ['complain'], lacks: ['how', 'exists'], mayContinue: true },
  { kind: 'complaint', has: ['insult'], lacks: ['how', 'want'] },
  { kind: 'complaint', has: ['not', 'merit'], lacks: ['how', 'want'] },
  { kind: 'asks_language', has: ['speak', 'language'] },
  { kind: 'asks_if_bot', has: ['asks_if_bot'] },
  { kind: 'asks_maker', has: ['asks_maker'] },
  { kind: 'asks_abilities', has: ['asks_abilities'], lacks: ['not'] },
  { kind: 'pause', has: ['pause'], lacks: ['want'] },
  { kind: 'goodbye', has: ['goodbye'], lacks: ['not'] },
  { kind: 'thanks', has: ['thanks'], lacks: ['want', 'not'] },
  { kind: 'thanks', has: ['praise', 'you'], lacks: ['want', 'not', 'how'] },
  { kind: 'thanks', has: ['praise', 'me'], lacks: ['want', 'not', 'how'] },
  { kind: 'how_are_you', has: ['how_are_you'] },
  { kind: 'acknowledgement', has: ['praise'], lacks: ['want', 'not', 'how', 'being', 'exists', 'contact'] },
];
