/** Classes of words with which visitors talk to and about the bot. */
export const wordClasses = [
  /** The visitor, as an object: "me". */
  'me',
  /** The bot or the chat: "you", "this is". */
  'you',
  /** Says or asks what the bot is: "are you", "this is". */
  'being',
  /** Asks how something can be done: "how can I". */
  'how',
  /** Asks whether something exists: "is there". */
  'exists',
  'not',
  /** "I want", "give". */
  'want',
  /** Verbs for talking to a person, or for connecting the visitor with one: "speak". */
  'contact',
  /** Verbs for answering or contacting the visitor, with a word of `me`: "call". */
  'call',
  /** "someone", "support", and all words of `human`. */
  'person',
  /** Words that can only mean a person of the team: "agent". */
  'human',
  /** A request for a person without any other word: "callback". */
  'handoff',
  /** The present conversation: "talking". */
  'talking',
  'bot',
  'insult',
  /** Becomes criticism of the bot after `not`: "helpful". */
  'merit',
  /** "complaint", "disappointed". */
  'complain',
  'praise',
  'speak',
  /** The name of a language. */
  'language',
] as const;
export type WordClass = (typeof wordClasses)[number];

/**
 * Words and phrases of one language with which visitors talk to and about the bot, separated by `|`, in the form
 * that `splitIntoClauses` returns. `other` has all words that say nothing about a subject. A clause that contains
 * any other word is about something else, and may be a question.
 */
export type ChatWords = Record<WordClass | 'other', string>;
