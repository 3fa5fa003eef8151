import type { Citation } from '../../../core/conversations/citation.ts';
import type { Answer } from '../../conversations/answering/answerer.ts';

const SEPARATOR = '\n\n';

type SpeechUsage = Pick<Answer, 'model' | 'inputTokens' | 'outputTokens' | 'costUsd' | 'ttftMs'>;

/** Combines the texts of a flow's run into one message to the visitor, with citations and model usage. */
export class FlowMessageBuilder {
  #content = '';
  /**
   * Text that was streamed while a model wrote it. When the flow's step later passes the same text as its
   * message, this text is skipped.
   */
  #streamed: string | null = null;
  #citations: Citation[] = [];
  #used: SpeechUsage = { model: null, inputTokens: null, outputTokens: null, costUsd: null, ttftMs: null };
  readonly #startedAt = performance.now();

  get isEmpty(): boolean {
    return this.#content.trim() === '';
  }

  /** Usage of all model calls in the flow's run together. */
  get used(): SpeechUsage {
    return this.#used;
  }

  /** Adds texts to the flow's message. Yields the texts that were not streamed already. */
  *addTexts(texts: readonly string[]): Generator<string> {
    for (const text of texts) {
      if (text === this.#streamed) this.#streamed = null;
      else yield this.#appendText(this.#gap + text);
    }
    this.#streamed = null;
  }

  /**
   * Streams a text of the flow's message while it is being written, and returns the generator's result. If
   * the result differs from the streamed text, removes the text from the message.
   */
  async *stream<T extends { text: string } | null>(
    writing: AsyncGenerator<string, T>,
  ): AsyncGenerator<string, T> {
    const before = this.#content;
    const gap = this.#gap;
    for (;;) {
      const piece = await writing.next();
      if (!piece.done) {
        yield this.#appendText(this.#content === before ? gap + piece.value : piece.value);
        continue;
      }
      const { value } = piece;
      // Readers may have received the removed text. They discard it and restart when the answer is complete.
      if (value === null || before + gap + value.text !== this.#content) this.#content = before;
      else this.#streamed = value.text;
      return value;
    }
  }

  /**
   * Adds the usage and citations of a model call to the flow's message.
   * @returns the text, with citations numbered for the whole message
   */
  addUsage({ content, citations, ...used }: SpeechUsage & Pick<Answer, 'content' | 'citations'>): string {
    const sum = (one: number | null, other: number | null) =>
      one === null && other === null ? null : (one ?? 0) + (other ?? 0);
    const before = this.#used;
    this.#used = {
      model: used.model ?? before.model,
      inputTokens: sum(before.inputTokens, used.inputTokens),
      outputTokens: sum(before.outputTokens, used.outputTokens),
      costUsd: sum(before.costUsd, used.costUsd),
      ttftMs: before.ttftMs ?? used.ttftMs,
    };
    const first = this.#citations.length === 0 ? 0 : Math.max(...this.#citations.map(({ index }) => index));
    this.#citations.push(...citations.map((each) => ({ ...each, index: each.index + first })));
    if (first === 0) return content;
    const known = new Set(citations.map(({ index }) => index));
    return content.replaceAll(/\[(\d+)\]/g, (marker, number: string) =>
      known.has(Number(number)) ? `[${Number(number) + first}]` : marker,
    );
  }

  /** Removes the texts and citations from the flow's message. Their usage still counts. */
  clear(): void {
    this.#content = '';
    this.#streamed = null;
    this.#citations = [];
  }

  toAnswer(): Answer {
    return {
      ...this.#used,
      content: this.#content,
      citations: this.#citations,
      latencyMs: Math.round(performance.now() - this.#startedAt),
      failure: null,
      searchedFor: null,
      isUnanswered: false,
      handoff: null,
    };
  }

  get #gap(): string {
    return this.#content === '' ? '' : SEPARATOR;
  }

  #appendText(text: string): string {
    this.#content += text;
    return text;
  }
}
