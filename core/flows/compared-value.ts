import { cutText } from '../text/cut-text.ts';
import { listCachedKeys } from '../text/cached-keys.ts';
import { foldText } from './fold-text.ts';
import { runBounds } from './flow-graph.ts';
import { parseNumber } from './flow-values.ts';
import type { StepWork } from './step-work.ts';
import { renderValueText } from './value-text.ts';

/**
 * A value that rules of a flow compare. Its text and items are normalized only once, even if several rules of
 * a step compare it.
 */
export class ComparedValue {
  readonly value: unknown;
  readonly work: StepWork;
  #number: number | null | undefined;
  #text: string | undefined;
  #items: ComparedValue[] | undefined;
  #isEmpty: boolean | undefined;

  constructor(value: unknown, work: StepWork) {
    this.value = value;
    this.work = work;
  }

  get isUnset(): boolean {
    return this.value === undefined || this.value === null;
  }

  /**
   * Whether the compared value is empty: missing, or a list or text without content. Checks only the start of
   * a text.
   */
  get isEmpty(): boolean {
    return (this.#isEmpty ??= this.#hasNothing());
  }

  /** Compared value as a number; null if it is not a number. */
  get number(): number | null {
    if (this.#number === undefined) this.#number = parseNumber(this.value);
    return this.#number;
  }

  /**
   * Start of the compared value as text, in normal form for comparison.
   * @throws WorkLimitExceeded
   */
  get text(): string {
    return (this.#text ??= foldText(renderValueText(this.value, runBounds.comparedLength), this.work));
  }

  /** First items of the compared value: a list, or a text that separates items by commas. */
  get items(): readonly ComparedValue[] {
    return (this.#items ??= this.#splitList()
      .slice(0, runBounds.comparedItems)
      .map((item) => new ComparedValue(item, this.work)));
  }

  #hasNothing(): boolean {
    const { value } = this;
    if (typeof value === 'string') return !/\S/.test(cutText(value, runBounds.comparedLength));
    if (Array.isArray(value)) return value.length === 0;
    return this.isUnset || (typeof value === 'object' && listCachedKeys(value!).length === 0);
  }

  #splitList(): readonly unknown[] {
    const { comparedItems, comparedLength } = runBounds;
    if (Array.isArray(this.value)) return this.value as unknown[];
    return renderValueText(this.value, comparedLength).split(',', comparedItems);
  }
}
