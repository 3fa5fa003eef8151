import {
  measureSimilarity,
  selectSearchKeys,
  type QuestionWords,
  type ClusterSearchKey,
} from './same-question.ts';

/** Number of times that a lexeme, which is a word's stem, occurs in the question clusters of a bot. */
export interface LexemeCount {
  /** Number of question clusters whose pattern contains the lexeme. */
  count: number;
  isName: boolean;
}

/** The question that represents a cluster of similar questions. New questions are compared with it. */
export interface Pattern extends QuestionWords {
  clusterId: string;
}

/**
 * Finds the question cluster to which each visitor's question of a batch belongs. Contains only those clusters
 * of one bot that may match.
 */
export class ClusterMatcher {
  readonly #counts: ReadonlyMap<string, LexemeCount>;
  readonly #byLexeme = new Map<string, Pattern[]>();
  readonly #names = new Set<string>();

  /**
   * @param counts number of question clusters that contain each lexeme
   * @param patterns patterns of clusters, oldest first
   */
  constructor(counts: ReadonlyMap<string, LexemeCount>, patterns: readonly Pattern[]) {
    this.#counts = counts;
    for (const [lexeme, { isName }] of counts) if (isName) this.#names.add(lexeme);
    for (const pattern of patterns) this.#addPattern(pattern);
  }

  /** Returns the search keys for question clusters that may be similar to a question. */
  listSearchKeys({ lexemes }: QuestionWords): ClusterSearchKey[] {
    return selectSearchKeys(lexemes, (lexeme) => this.#counts.get(lexeme)?.count ?? 0);
  }

  /**
   * Returns the id of the question cluster that is most similar to the question, or of the oldest of several
   * equally similar clusters. Returns null if no cluster is similar enough.
   */
  find(question: QuestionWords): string | null {
    const near = new Set(
      this.listSearchKeys(question).flatMap(({ lexeme }) => this.#byLexeme.get(lexeme) ?? []),
    );
    const [best] = [...near]
      .map((pattern) => ({
        clusterId: pattern.clusterId,
        share: measureSimilarity(question, pattern, (lexeme) => this.#names.has(lexeme)),
      }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share || (a.clusterId < b.clusterId ? -1 : 1));
    return best?.clusterId ?? null;
  }

  /** Adds a new question cluster, whose pattern is the question. */
  addCluster(clusterId: string, question: QuestionWords): void {
    this.#addPattern({ clusterId, ...question });
  }

  #addPattern(pattern: Pattern): void {
    for (const lexeme of pattern.lexemes) {
      const others = this.#byLexeme.get(lexeme);
      if (others) others.push(pattern);
      else this.#byLexeme.set(lexeme, [pattern]);
    }
    for (const name of pattern.names) this.#names.add(name);
  }
}
