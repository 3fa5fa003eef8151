import type { TextLanguage } from '../answer-texts.ts';
import type { SmallTalkKind } from './phrases/language-phrases.ts';

/** A message that needs no search of the documents: small talk, or a request to talk to a person. */
export interface Remark {
  /** `unclear` is a message without letters and digits, such as "???". */
  kind: SmallTalkKind | 'wants_person' | 'unclear';
  /** Languages in which the message has this meaning; empty for `unclear`. */
  languages: TextLanguage[];
  /** False if the message is misspelled, so that the message may mean something else. */
  isCertain: boolean;
}
