import { formatCsvLine } from '../../../core/text/csv.ts';
import type { QuestionCluster } from '../../client/types.ts';

const COLUMNS = [
  'question',
  'bot_id',
  'asked',
  'unanswered',
  'last_asked_at',
  'conversation_ids',
] as const satisfies (keyof QuestionCluster)[];

/** Returns the frequent questions of visitors as a CSV file. */
export function toQuestionsCsv(questions: readonly QuestionCluster[]): string {
  const rows = questions.map((question) =>
    COLUMNS.map((column) => {
      const value = question[column];
      return Array.isArray(value) ? value.join(' ') : value;
    }),
  );
  return [COLUMNS, ...rows].map((cells) => formatCsvLine(cells)).join('');
}
