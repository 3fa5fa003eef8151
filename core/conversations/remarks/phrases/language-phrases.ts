/** Kinds of small talk, from the least to the most specific: "ok, thanks" are thanks. */
export const smallTalkKinds = [
  'greeting',
  'acknowledgement',
  'how_are_you',
  'thanks',
  'goodbye',
  'complaint',
  'asks_abilities',
  'asks_maker',
  'asks_if_bot',
] as const;
export type SmallTalkKind = (typeof smallTalkKinds)[number];

/**
 * Phrases of one language, in the form that `splitIntoClauses` returns: lower case, without accents, and with
 * a space instead of an apostrophe or hyphen.
 */
export interface LanguagePhrases {
  /** Phrases of each kind of small talk, separated by `|`. */
  smallTalk: Record<SmallTalkKind, string>;
  /** Words that do not affect the kind of a message, separated by `|`. */
  fillers: string;
  /** Words that may stand anywhere within a phrase, such as "really", separated by `|`. */
  intensifiers: string;
  /** Sources of regular expressions for requests to talk to a person. */
  person: {
    /** A person of the team, with article and adjectives. Replaces `{person}` in `requests`. */
    any: string;
    /**
     * A person without words such as "support", which may also be the subject of a question. Replaces
     * `{human}`.
     */
    human: string;
    /** Sentences that ask for a person, from their first word. A clause with one of `followers` may follow. */
    requests: readonly string[];
    /** Short sentences that ask for a person. If anything follows, they may mean something else. */
    shortRequests: readonly string[];
    /** Beginnings of a clause that may follow a request, such as "about". */
    continuations: string;
  };
}
