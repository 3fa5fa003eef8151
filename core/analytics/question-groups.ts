import { measureLikeness, selectSoughtWords, type QuestionWords, type SoughtWord } from './same-question.ts';

/** Counts of a lexeme within a bot. */
export interface LexemeCount {
  /** How many clusters have it. */
  count: number;
  isName: boolean;
}

/** A cluster, by the question that others are compared with. */
export interface Pattern extends QuestionWords {
  clusterId: string;
}

/** The clusters of one bot, as far as the questions of a batch need them. */
export class QuestionGroups {
  readonly #counts: ReadonlyMap<string, LexemeCount>;
  readonly #byLexeme = new Map<string, Pattern[]>();
  readonly #names = new Set<string>();

  /** @param patterns the oldest first */
  constructor(counts: ReadonlyMap<string, LexemeCount>, patterns: readonly Pattern[]) {
    this.#counts = counts;
    for (const [lexeme, { isName }] of counts) if (isName) this.#names.add(lexeme);
    for (const pattern of patterns) this.#add(pattern);
  }

  /** Lexemes to find clusters that may have the question, though none of their questions has exactly its words. */
  listSoughtWords({ lexemes }: QuestionWords): SoughtWord[] {
    return selectSoughtWords(lexemes, (lexeme) => this.#counts.get(lexeme)?.count ?? 0);
  }

  /** The id of the cluster that is most like the question, of equals the oldest; null where none is the same. */
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
