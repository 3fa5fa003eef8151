export interface UnigramVocabulary {
  /** Pieces of words in the tokenizer's vocabulary with their scores, by token id. */
  pieces: [string, number][];
  /** Token ids of the marks before and after a text, and of unknown characters. */
  begin: number;
  end: number;
  unknown: number;
}

/** Returns the `tokenizer.json` of a SentencePiece unigram model with the standard normalization (NFKC). */
export function createUnigramTokenizer({ pieces, begin, end, unknown }: UnigramVocabulary): string {
  const mark = (id: number) => ({ SpecialToken: { id: pieces[id]![0], type_id: 0 } });
  const specialToken = (id: number) => [
    pieces[id]![0],
    { id: pieces[id]![0], ids: [id], tokens: [pieces[id]![0]] },
  ];
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Precompiled', precompiled_charsmap: null },
        { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' },
      ],
    },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
    post_processor: {
      type: 'TemplateProcessing',
      single: [mark(begin), { Sequence: { id: 'A', type_id: 0 } }, mark(end)],
      pair: [],
      special_tokens: Object.fromEntries([begin, end].map(specialToken)),
    },
    decoder: null,
    model: { type: 'Unigram', unk_id: unknown, vocab: pieces, byte_fallback: false },
  });
}
