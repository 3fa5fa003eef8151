/** Maximum length of a model's answer, in characters. */
export const MAX_ANSWER_LENGTH = 262_144;
