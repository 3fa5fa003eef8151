import { openDocument } from '../../../adapters/extraction/extract.ts';
import type { ExtractedDocument } from '../../../adapters/extraction/extracted-document.ts';
import { chunkSections } from './chunker.ts';
import type { PageRecognition } from '../../../adapters/extraction/page-recognition.ts';
import type { ReadingStep, SearchableChunk, ThreadRequest } from './extraction-protocol.ts';
import { detectLanguage, languageSampleLength, chooseSearchConfig } from './language.ts';
import { toSearchText } from '../search/search-text.ts';

/**
 * Parses a document and cuts it into chunks. Runs a step only when the caller asks for one, so that memory
 * stays bounded.
 * @throws UnreadableDocument
 */
export async function* readAndChunk(
  { source, title, batchSize }: Omit<ThreadRequest, 'recognition'>,
  recognition: PageRecognition = 'off',
): AsyncGenerator<ReadingStep, void> {
  const opened = await openDocument(source);
  yield { kind: 'opened' };
  const { sections, ...document } = await opened.extract(recognition);
  const language = (await detectLanguage(takeSample(sections))) ?? document.language;
  const searchConfig = chooseSearchConfig(language);
  yield { kind: 'document', document: { ...document, language, searchConfig } };
  let batch: SearchableChunk[] = [];
  for (const chunk of chunkSections(sections, { title: title ?? document.title })) {
    batch.push({ ...chunk, searchText: toSearchText(chunk.text, searchConfig) });
    if (batch.length < batchSize) continue;
    yield { kind: 'chunks', chunks: batch };
    batch = [];
  }
  if (batch.length > 0) yield { kind: 'chunks', chunks: batch };
}

function takeSample(sections: ExtractedDocument['sections']): string {
  let sample = '';
  for (const { text } of sections) {
    if (sample.length >= languageSampleLength) break;
    sample += `${text.slice(0, languageSampleLength)}\n`;
  }
  return sample;
}
