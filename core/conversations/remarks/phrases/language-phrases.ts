import type { ChatWords } from './words/chat-words.ts';

/** Kinds of small talk, from the least to the most specific: "ok, thanks" are thanks. */
export const smallTalkKinds = [
  'denial',
  'affirmation',
  'greeting',
  'acknowledgement',
  'pause',
  'gives_details',
  'how_are_you',
  'thanks',
  'goodbye',
  'complaint',
  'wants_to_complain',
  'asks_abilities',
  'asks_language',
  'asks_maker',
  'asks_if_bot',
] as const;
export type SmallTalkKind = (typeof smallTalkKinds)[number];

/**
 * Phrases of one language, in the form that `splitIntoClauses` returns: lower case, without accents, and with
 * a space instead of an apostrophe or hyphen.
 */
export interface LanguagePhrases {
  /** Phrases by the kind of small talk that they express, separated by `|`. */
  smallTalk: Partial<Record<SmallTalkKind, string>>;
  /** Phrases before the visitor's name, such as "my name is", separated by `|`. */
  names: string;
  /** Words between thanks and their reason, such as "for", separated by `|`. */
  thanksFor: string;
  /** Words that turn thanks with a reason into a question, such as "how", separated by `|`. */
  questionWords: string;
  words: Partial<ChatWords>;
  /** Words that do not affect the kind of a visitor's message, separated by `|`. */
  fillers: string;
  /** Words that may stand anywhere within a phrase, such as "really", separated by `|`. */
  intensifiers: string;
  /** Words after which a request for a person may go on with anything, such as "about", separated by `|`. */
  continuations: string;
}
