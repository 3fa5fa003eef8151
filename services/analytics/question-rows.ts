import type { QuestionWords } from '../../core/analytics/same-question.ts';
import { groupItems } from '../../core/group-items.ts';
import { deriveId } from '../../core/ids.ts';
import type { QuestionDay } from '../../entities/analytics/question-day.entity.ts';
import type { QuestionTerm } from '../../entities/analytics/question-term.entity.ts';

/** Adds up the changed question counts of the same cluster and day. */
export function sumByDay(changes: readonly QuestionDay[]): QuestionDay[] {
  const days = groupItems(changes, ({ clusterId, day }) => `${clusterId} ${day}`);
  return days.map(([, [first, ...others]]) => {
    const { clusterId, day, orgId, botId, asked, unanswered } = first!;
    return {
      clusterId,
      day,
      orgId,
      botId,
      asked: others.reduce((sum, other) => sum + other.asked, asked),
      unanswered: others.reduce((sum, other) => sum + other.unanswered, unanswered),
    };
  });
}

/** Derives an id from a question's words. Questions to a bot with the same words have the same id. */
export function deriveWordsId(botId: string, { lexemes }: QuestionWords): string {
  return deriveId([botId, ...lexemes.toSorted()].join(' '));
}

/** Returns the rows for the word index of a question, one for each lexeme. */
export function toQuestionTerms(
  botId: string,
  messageId: string,
  { lexemes, names }: QuestionWords,
): QuestionTerm[] {
  const lexemeCount = lexemes.length;
  return lexemes.map((lexeme) => ({
    botId,
    lexeme,
    lexemeCount,
    messageId,
    isName: names.includes(lexeme),
  }));
}
