import { getContentKeys } from '../../database/content-keys.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { QuestionRepository } from '../../repositories/analytics/question.repository.ts';
import type { ResealTarget, ResealStep } from '../encryption/reseal-targets.ts';
import type { QuestionGrouping } from './question-grouping.ts';

const CLUSTERS_PER_STEP = 50;

/**
 * Converts the stored words of question clusters after a change of encryption. Similar questions are found by
 * these words.
 */
export class QuestionsReseal implements ResealTarget {
  readonly name = 'questions';
  readonly #questions: QuestionRepository;
  readonly #grouping: Pick<QuestionGrouping, 'renew'>;

  constructor(questions: QuestionRepository, grouping: Pick<QuestionGrouping, 'renew'>) {
    this.#questions = questions;
    this.#grouping = grouping;
  }

  /**
   * Converts question clusters whose words are not stored with the current encryption key. Counts only
   * clusters with readable words, because words digested with an old key reveal nothing.
   */
  async convert(scope: OrgScope, from: string | null): Promise<ResealStep> {
    const marker = await getContentKeys(scope.db.dataSource).getMarker(scope.orgId);
    const keyId = marker?.id ?? null;
    const page = { after: from, limit: CLUSTERS_PER_STEP };
    const clusters = await this.#questions.listWithOtherKey(scope, keyId, page);
    const ids = clusters.map(({ id }) => id);
    if (ids.length > 0) await this.#grouping.renew(scope, ids);
    const isReadable = (cluster: { keyId: string | null }) => (cluster.keyId === null) !== (keyId === null);
    return {
      converted: clusters.filter(isReadable).length,
      next: ids.length < CLUSTERS_PER_STEP ? null : ids.at(-1)!,
    };
  }
}
