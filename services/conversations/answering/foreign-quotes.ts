import type { ChatMessage, ForeignQuotes, Passage } from '../../../core/answers/chat-model.ts';
import { detectTextLanguageCode } from '../../../core/answers/terms.ts';
import { introduceForeignQuote, type TextLanguage } from '../../../core/conversations/answer-texts.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { SearchService } from '../../knowledge/search/search-service.ts';
import { detectLanguage } from '../../knowledge/ingestion/language.ts';
import { detectVisitorLanguage } from './visitor-language.ts';

interface ForeignQuoteInput {
  scope: OrgScope;
  bot: Bot;
  messages: readonly ChatMessage[];
  /** The `Accept-Language` header of the visitor's request, if known. */
  acceptLanguage?: string | null | undefined;
}

/**
 * Creates the functions that introduce a quote in a language other than that of the question, and that choose
 * passages by meaning.
 */
export function createForeignQuotes(
  search: Pick<SearchService, 'findNearestTexts'>,
  { scope, bot, messages, acceptLanguage = null }: ForeignQuoteInput,
): ForeignQuotes {
  const question = messages.at(-1)?.content ?? '';
  return {
    introduce: async (passage) => {
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

/** Detects the language of a question, which is often too short for its letters to identify the language. */
const detectQuestionLanguage = async (question: string) =>
  (await detectLanguage(question)) ?? detectTextLanguageCode(question);

const detectPassageLanguage = ({ text }: Passage) => detectLanguage(text);
