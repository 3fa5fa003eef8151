import type { TextLanguage } from '../answer-texts.ts';
import type { SmallTalkKind } from './phrases/language-phrases.ts';

/** A visitor's message that needs no search of the documents: small talk, or a request to talk to a person. */
export interface Remark {
  /** Kind of the message; `unclear` is a message without letters and digits, such as "???". */
  kind: SmallTalkKind | 'wants_person' | 'unclear';
  /** Languages in which the visitor's message has this meaning; empty for `unclear`. */
  languages: TextLanguage[];
  /** False if the visitor's message is misspelled, so that it may mean something else. */
  isCertain: boolean;
}
