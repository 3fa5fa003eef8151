/** Maximum number of words in the name of a person or workspace; a longer name counts as a message. */
const MAX_NAME_WORDS = 8;
/** Minimum number of digits that count as a telephone number in a name. */
const MIN_PHONE_DIGITS = 7;
const DIGIT_RUN = /\p{Nd}[\p{Nd}\s().+/-]*\p{Nd}/gu;
/** Matches a range of years in a name, such as "1998–2026", which is not a telephone number. */
const YEARS = /^(19|20)\d\d\s*[-–]\s*(19|20)\d\d$/;
const AMOUNT =
  /\p{Sc}\s*\p{Nd}|\p{Nd}\s*\p{Sc}|\b(EUR|USD|GBP|CHF)\s*\p{Nd}|\p{Nd}\s*(EUR|USD|GBP|CHF|euros?|dollars?|pounds?)\b/iu;
/**
 * Matches the end of a sentence and the start of the next sentence. Requires five letters before the
 * punctuation mark, since shorter words may be abbreviations, as in "St. Mary".
 */
const NEXT_SENTENCE = /\p{L}{5}[.!?:。！？]\s*\p{L}/u;

/**
 * Returns whether a name is a message: it has a telephone number, an amount of money, two sentences, or too
 * many words. A stranger could send such a message to anyone with an invitation.
 */
export function readsAsMessage(name: string): boolean {
  const runs = name.match(DIGIT_RUN) ?? [];
  return (
    runs.some(
      (run) => !YEARS.test(run.trim()) && run.replaceAll(/\P{Nd}/gu, '').length >= MIN_PHONE_DIGITS,
    ) ||
    AMOUNT.test(name) ||
    NEXT_SENTENCE.test(name) ||
    (name.match(/\S+/g) ?? []).length > MAX_NAME_WORDS
  );
}
