import { measureLikeness, selectSoughtWords, type QuestionWords, type SoughtWord } from './same-question.ts';

/** Counts of a lexeme within a bot. */
export interface LexemeCount {
  /** Number of clusters that have the lexeme. */
  count: number;
  isName: boolean;
}

/** A cluster, by the question that others are compared with. */
export interface Pattern extends QuestionWords {
  clusterId: string;
}

/** The clusters of one bot that a batch of questions needs. */
export class QuestionGroups {
  readonly #counts: ReadonlyMap<string, LexemeCount>;
  readonly #byLexeme = new Map<string, Pattern[]>();
  readonly #names = new Set<string>();

  /** @param patterns patterns, oldest first */
  constructor(counts: ReadonlyMap<string, LexemeCount>, patterns: readonly Pattern[]) {
    this.#counts = counts;
    for (const [lexeme, { isName }] of counts) if (isName) this.#names.add(lexeme);
    for (const pattern of patterns) this.#add(pattern);
  }

  /** Returns lexemes by which to find similar clusters, for a question without exactly the same words as another. */
  listSoughtWords({ lexemes }: QuestionWords): SoughtWord[] {
    return selectSoughtWords(lexemes, (lexeme) => this.#counts.get(lexeme)?.count ?? 0);
  }

  /** Returns the id of the most similar cluster, of equals the oldest; null if none is similar. */
  find(question: QuestionWords): string | null {
    const near = new Set(
      this.listSoughtWords(question).flatMap(({ lexeme }) => this.#byLexeme.get(lexeme) ?? []),
    );
    const [best] = [...near]
      .map((pattern) => ({
        clusterId: pattern.clusterId,
        share: measureLikeness(question, pattern, (lexeme) => this.#names.has(lexeme)),
      }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share || (a.clusterId < b.clusterId ? -1 : 1));
    return best?.clusterId ?? null;
  }

  /** Begins a cluster with the question. */
  begin(clusterId: string, question: QuestionWords): void {
    this.#add({ clusterId, ...question });
  }

  #add(pattern: Pattern): void {
    for (const lexeme of pattern.lexemes) {
      const others = this.#byLexeme.get(lexeme);
      if (others) others.push(pattern);
      else this.#byLexeme.set(lexeme, [pattern]);
    }
    for (const name of pattern.names) this.#names.add(name);
  }
}
