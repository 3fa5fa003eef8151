import { parentPort } from 'node:worker_threads';
import { extractDocument } from '../../adapters/extraction/extract.ts';
import type { ExtractedDocument } from '../../adapters/extraction/extracted-document.ts';
import { isUnreadable } from '../../adapters/extraction/unreadable-document.ts';
import { chunkSections } from './chunker.ts';
import type { SearchableChunk, ThreadMessage, ThreadReply, ThreadRequest } from './extraction-protocol.ts';
import { detectLanguage, languageSampleLength, searchConfigFor } from './language.ts';
import { toSearchText } from './search-text.ts';

// The thread of `extraction-threads.ts`: works ahead by nothing, so that its memory stays bounded.
if (parentPort) {
  const port = parentPort;
  port.postMessage('started');
  let replies: AsyncGenerator<ThreadReply, void> | undefined;
  port.on('message', (message: ThreadMessage) => {
    if (message !== 'next') replies = replyTo(message);
    void replies?.next().then(({ value }) => port.postMessage(value ?? { kind: 'done' }));
  });
}

async function* replyTo({ source, title, batchSize }: ThreadRequest): AsyncGenerator<ThreadReply, void> {
  try {
    const { sections, ...document } = await extractDocument(source);
    const language = detectLanguage(sampleOf(sections)) ?? document.language;
    const searchConfig = searchConfigFor(language);
    yield { kind: 'document', document: { ...document, language, searchConfig } };
    let batch: SearchableChunk[] = [];
    for (const chunk of chunkSections(sections, { title: title ?? document.title })) {
      batch.push({ ...chunk, searchText: toSearchText(chunk.text, searchConfig) });
      if (batch.length < batchSize) continue;
      yield { kind: 'chunks', chunks: batch };
      batch = [];
    }
    if (batch.length > 0) yield { kind: 'chunks', chunks: batch };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    yield { kind: 'unreadable', reason: error.reason, message: error.message };
  }
}

function sampleOf(sections: ExtractedDocument['sections']): string {
  let sample = '';
  for (const { text } of sections) {
    if (sample.length >= languageSampleLength) break;
    sample += `${text.slice(0, languageSampleLength)}\n`;
  }
  return sample;
}
