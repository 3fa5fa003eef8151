import type { Context } from '../command.ts';
import { oneLine } from '../safe-text.ts';
import type { Refusal } from './send-each.ts';

type Outcome = 'added' | 'replaced' | 'removed' | 'unchanged';

/** Records and writes the changes that a synchronization of a folder makes. */
export class SyncReport {
  /** Names of synchronized files by outcome. */
  readonly #names: Record<Outcome, string[]> = { added: [], replaced: [], removed: [], unchanged: [] };
  readonly #output: Pick<Context, 'isJson' | 'out'>;
  refusals: readonly Refusal[] = [];
  /** Names of files that could not be indexed. */
  failed: readonly string[] = [];

  constructor(output: Pick<Context, 'isJson' | 'out'>) {
    this.#output = output;
  }

  /** @param outcome outcome of putDocumentFile, or `removed` */
  add(outcome: string, name: string): void {
    const known = toOutcome(outcome);
    this.#names[known].push(name);
    const { isJson, out } = this.#output;
    if (known !== 'unchanged' && !isJson) out(`${oneLine(`${known.padEnd('replaced'.length)}  ${name}`)}\n`);
  }

  /** Whether all files were accepted and indexed. */
  get isDone(): boolean {
    return this.#refused.length === 0 && this.failed.length === 0;
  }

  summarize(): string {
    const counts = [
      ...Object.entries(this.#names).map(([outcome, names]) => `${names.length} ${outcome}`),
      ...[
        [this.#leftOut.length, 'left out'] as const,
        [this.#refused.length, 'refused'] as const,
        [this.failed.length, 'failed'] as const,
      ].flatMap(([count, outcome]) => (count > 0 ? [`${count} ${outcome}`] : [])),
    ];
    return counts.join(', ');
  }

  toJson(): object {
    return {
      ...this.#names,
      left_out: this.#leftOut.map(({ name }) => name),
      refused: this.#refused.map(({ name, message }) => ({ name, message })),
      failed: this.failed,
    };
  }

  get #leftOut(): readonly Refusal[] {
    return this.refusals.filter(({ isLeftOut }) => isLeftOut);
  }

  get #refused(): readonly Refusal[] {
    return this.refusals.filter(({ isLeftOut }) => !isLeftOut);
  }
}

/**
 * Converts an outcome of the API. Counts an unknown outcome, which a newer Parley may return, as a change.
 */
function toOutcome(outcome: string): Outcome {
  if (outcome === 'created') return 'added';
  return outcome === 'removed' || outcome === 'unchanged' ? outcome : 'replaced';
}
