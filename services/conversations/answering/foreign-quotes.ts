import type { ChatMessage, ForeignQuotes, Passage } from '../../../core/answers/chat-model.ts';
import { detectTextLanguageCode, listWords, normalize } from '../../../core/answers/terms.ts';
import { introduceForeignQuote, type TextLanguage } from '../../../core/conversations/answer-texts.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { SearchService } from '../../knowledge/search/search-service.ts';
import { detectLanguage } from '../../knowledge/ingestion/language.ts';
import { detectVisitorLanguage, isAmbiguous } from './visitor-language.ts';

/**
 * Minimum number of letters of a word that identifies the language of a question. Shorter words exist in many
 * languages.
 */
const MIN_SHARED_LENGTH = 4;

interface ForeignQuoteInput {
  scope: OrgScope;
  bot: Bot;
  messages: readonly ChatMessage[];
  /** The `Accept-Language` header of the visitor's request, if known. */
  acceptLanguage?: string | null | undefined;
}

/**
 * Creates two functions: one introduces a quote whose language differs from the question's language, the
 * other chooses passages by meaning.
 */
export function createForeignQuotes(
  search: Pick<SearchService, 'findNearestTexts'>,
  { scope, bot, messages, acceptLanguage = null }: ForeignQuoteInput,
): ForeignQuotes {
  const question = messages.at(-1)?.content ?? '';
  return {
    introduce: async (passage) => {
      if (sharesWords(question, passage)) return '';
      const [asked, quoted] = await Promise.all([
        detectQuestionLanguage(question),
        detectPassageLanguage(passage),
      ]);
      if (asked === null || quoted === null || asked === quoted) return '';
      const language: TextLanguage = await detectVisitorLanguage(bot, messages, acceptLanguage);
      return introduceForeignQuote(language, quoted);
    },
    chooseByMeaning: (questions, texts) => search.findNearestTexts(scope, bot.id, questions, texts),
  };
}

/**
 * Returns true if a question of a few ambiguous words shares a word with the passage. The question is then in
 * the passage's language, even if its misspelled words look like words of another language.
 */
function sharesWords(question: string, { text }: Passage): boolean {
  if (!isAmbiguous(question)) return false;
  const passageWords = listWords(normalize(text));
  const words = [...listWords(normalize(question))];
  return words.some((word) => word.length >= MIN_SHARED_LENGTH && passageWords.has(word));
}

/** Detects the language of a question, which is often too short for its letters to identify the language. */
const detectQuestionLanguage = async (question: string) =>
  (await detectLanguage(question)) ?? detectTextLanguageCode(question);

const detectPassageLanguage = ({ text }: Passage) => detectLanguage(text);
