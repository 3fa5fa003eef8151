import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddingError, toUnitLength, type PassageToEmbed, type Vector } from './embedder.ts';
import type { NativeGate } from './native-gate.ts';
import { splitIntoWindows } from './windows.ts';

/**
 * The part of the package `onnxruntime-node` that Parley uses. The package is optional, so its types may be
 * missing.
 */
interface OnnxRuntime {
  InferenceSession: { create(path: string, options: object): Promise<Session> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => unknown;
}

interface Session {
  readonly inputNames: readonly string[];
  run(feeds: Record<string, unknown>): Promise<Record<string, Output | undefined>>;
  release(): Promise<void>;
}

interface Output {
  data: Float32Array;
  dims: readonly number[];
}

/** The part of the package `@huggingface/tokenizers` that Parley uses. */
interface TokenizerModule {
  Tokenizer: new (definition: object, config: object) => Tokenizer;
}

interface Tokenizer {
  encode(text: string, options?: { add_special_tokens?: boolean }): { ids: number[] };
}

/**
 * Name of the package that runs embedding models. It has the type `string`, since bundlers and the compiler
 * would resolve a literal module name, and the package may be missing.
 */
const RUNTIME: string = 'onnxruntime-node';
const TOKENIZERS: string = '@huggingface/tokenizers';

/**
 * Options for running the embedding model. It uses a single CPU thread, since the machine also serves
 * requests. The memory arena is off: the arena would never shrink again after a long text.
 */
const SESSION = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  enableCpuMemArena: false,
  logSeverityLevel: 3,
};

/**
 * Maximum number of tokens of a question that are embedded. A full window takes the model about four times as
 * long, and other visitors' questions wait meanwhile.
 */
const MAX_QUESTION_TOKENS = 128;

/** An embedding model in the ONNX format with its tokenizer. Computes in the calling thread. */
export class LocalModel {
  readonly #runtime: OnnxRuntime;
  readonly #session: Session;
  readonly #tokenizer: Tokenizer;
  readonly #windowTokens: number;
  readonly #poolsFirst: boolean;
  readonly #gate: NativeGate;

  private constructor(
    parts: { runtime: OnnxRuntime; session: Session; tokenizer: Tokenizer; poolsFirst: boolean },
    windowTokens: number,
    gate: NativeGate,
  ) {
    this.#gate = gate;
    this.#runtime = parts.runtime;
    this.#session = parts.session;
    this.#tokenizer = parts.tokenizer;
    this.#poolsFirst = parts.poolsFirst;
    this.#windowTokens = windowTokens;
  }

  /**
   * Loads an embedding model from its file.
   * @throws EmbeddingError `misconfigured` if the file, its tokenizer or the runtime is missing
   */
  static async load(path: string, windowTokens: number, gate: NativeGate): Promise<LocalModel> {
    const [runtime, { Tokenizer }] = await Promise.all([
      gate.pass(() => importOptional<OnnxRuntime>(RUNTIME)),
      importOptional<TokenizerModule>(TOKENIZERS),
    ]);
    try {
      const folder = dirname(path);
      const tokenizer = new Tokenizer(
        readJson(join(folder, 'tokenizer.json')) ?? {},
        readJson(join(folder, 'tokenizer_config.json'), true) ?? {},
      );
      const session = await gate.pass(() => runtime.InferenceSession.create(path, SESSION));
      const pooling = readJson(join(folder, '1_Pooling', 'config.json'), true);
      const poolsFirst = pooling?.['pooling_mode_cls_token'] === true;
      return new LocalModel({ runtime, session, tokenizer, poolsFirst }, windowTokens, gate);
    } catch (error) {
      throw new EmbeddingError(
        'misconfigured',
        `The model ${path} cannot be loaded: ${describeLoadError(error)}`,
        {
          cause: error,
        },
      );
    }
  }

  async embedPassages(passages: readonly PassageToEmbed[], prefix: string): Promise<Vector[][]> {
    const options = { maxTokens: this.#windowTokens, count: (text: string) => this.#countTokens(text) };
    const embedded: Vector[][] = [];
    for (const passage of passages) {
      const vectors: Vector[] = [];
      for (const window of splitIntoWindows(passage, options))
        vectors.push(await this.embed(prefix + window));
      embedded.push(vectors);
    }
    return embedded;
  }

  /** Returns the vector of a question. Truncates the question to MAX_QUESTION_TOKENS. */
  embedQuestion(question: string, prefix: string): Promise<Vector> {
    return this.embed(prefix + question, Math.min(MAX_QUESTION_TOKENS, this.#windowTokens));
  }

  /**
   * Returns the embedding vector of a text.
   * @param maxTokens number of tokens to which the text is truncated; the model's window by default
   */
  async embed(text: string, maxTokens = this.#windowTokens): Promise<Vector> {
    const ids = this.#tokenizer.encode(text).ids;
    // Preserve the last token, which marks the end of the text.
    const inputIds = ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids.at(-1)!];
    const { Tensor } = this.#runtime;
    const dims = [1, inputIds.length];
    const tensors: Record<string, unknown> = {
      input_ids: new Tensor('int64', BigInt64Array.from(inputIds, BigInt), dims),
      attention_mask: new Tensor('int64', new BigInt64Array(inputIds.length).fill(1n), dims),
      token_type_ids: new Tensor('int64', new BigInt64Array(inputIds.length), dims),
    };
    const feeds = Object.fromEntries(this.#session.inputNames.map((name) => [name, tensors[name]]));
    return this.#poolOutput(await this.#gate.pass(() => this.#session.run(feeds)));
  }

  /** Frees the embedding model's memory. The model cannot be used afterwards. */
  async release(): Promise<void> {
    await this.#session.release();
  }

  #countTokens(text: string): number {
    return this.#tokenizer.encode(text, { add_special_tokens: false }).ids.length;
  }

  /**
   * Returns the vector of the whole text. If the model outputs a vector per token, the result is their mean,
   * or the first vector if the model's configuration says so.
   */
  #poolOutput(outputs: Record<string, Output | undefined>): Vector {
    const output = outputs['sentence_embedding'] ?? outputs['last_hidden_state'] ?? Object.values(outputs)[0];
    const size = output?.dims.at(-1) ?? 0;
    if (!output || size === 0) throw new EmbeddingError('misconfigured', 'The model returned no vector.');
    const { data } = output;
    if (data.length === size || this.#poolsFirst) return toUnitLength(data.subarray(0, size));
    const sums = new Float64Array(size);
    for (let index = 0; index < data.length; index += 1) sums[index % size]! += data[index]!;
    return toUnitLength(sums);
  }
}

async function importOptional<T>(name: string): Promise<T> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    throw new EmbeddingError(
      'misconfigured',
      `Models cannot run on this machine: the optional package ${name} is not installed, or was not built for this machine (${describeLoadError(error)}). Use an endpoint instead (PARLEY_EMBEDDING_BASE_URL).`,
      { cause: error },
    );
  }
}

function readJson(file: string, isOptional = false): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    if (isOptional) return undefined;
    throw error;
  }
}

const describeLoadError = (error: unknown) =>
  error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
