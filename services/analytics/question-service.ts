import type { Clock } from '../../core/clock.ts';
import { formatUtcDay, toDayRange } from '../../core/day-range.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type {
  QuestionWithContent,
  QuestionFilter,
  QuestionRepository,
} from '../../repositories/analytics/question.repository.ts';

export interface QuestionQuery {
  from?: string;
  to?: string;
  bot_id?: string;
  sort?: QuestionFilter['sort'];
  limit?: number;
}

export interface QuestionServiceDeps {
  questions: QuestionRepository;
  clock: Clock;
}

export const MAX_QUESTION_DAYS = 92;
export const QUESTIONS_BY_DEFAULT = 20;

/** Lists visitors' most frequent questions, and those that bots could not answer. */
export class QuestionService {
  readonly #deps: QuestionServiceDeps;

  constructor(deps: QuestionServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Lists the most frequent questions within a range of dates.
   * @throws AppError `validation_error` for an invalid range
   */
  async listTop(
    scope: OrgScope,
    { from, to, bot_id: botId, sort = 'unanswered', limit = QUESTIONS_BY_DEFAULT }: QuestionQuery,
  ): Promise<QuestionWithContent[]> {
    const { questions, clock } = this.#deps;
    const days = toDayRange({ from, to }, formatUtcDay(clock.now()), MAX_QUESTION_DAYS);
    return questions.listTop(scope, { ...days, botId: botId ?? null, sort, limit });
  }
}
