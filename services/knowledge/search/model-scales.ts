import type { Embedder } from '../../../adapters/embedding/embedder.ts';
import { findKnownModel } from '../../../adapters/embedding/known-models.ts';
import { measureScale, type ModelScale } from '../../../adapters/embedding/model-scale.ts';

/** Maximum number of milliseconds for measuring the similarity scale of an embedding model. */
const MEASURE_MS = 30_000;

/**
 * Provides the similarity scales of embedding models. Known models have fixed scales; each process
 * measures any other model once.
 */
export class ModelScales {
  readonly #measured = new Map<string, Promise<ModelScale>>();

  /** @throws EmbeddingError if the embedding model cannot be measured now; the next call retries */
  get(embedder: Embedder): Promise<ModelScale> {
    const { model } = embedder;
    const known = findKnownModel(model)?.scale;
    if (known) return Promise.resolve(known);
    const running = this.#measured.get(model);
    if (running) return running;
    const measuring = measureScale(embedder, AbortSignal.timeout(MEASURE_MS));
    this.#measured.set(model, measuring);
    measuring.catch(() => this.#measured.delete(model));
    return measuring;
  }
}
