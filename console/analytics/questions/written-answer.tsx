import { path } from '../../client/paths.ts';
import type { KnowledgeDocument } from '../../client/types.ts';
import { documentWords } from '../../knowledge/document-words.ts';
import { useProgress } from '../../knowledge/use-progress.ts';
import { buildHref } from '../../router.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Status } from '../../components/lists/status.tsx';

export interface WrittenAnswerProps {
  botId: string;
  document: KnowledgeDocument;
  onChange(document: KnowledgeDocument): void;
}

/** Shows the document that was created to answer a question, with the progress of its indexing. */
export function WrittenAnswer({ botId, document, onChange }: WrittenAnswerProps) {
  const url = path`/api/bots/${botId}/knowledge/${document.id}`;
  const { problem } = useProgress(url, document, true, onChange);
  const [tone, name] = documentWords[document.status];
  return (
    <>
      <div aria-live="polite">
        <Status tone={tone}>{name}</Status>{' '}
        <a href={buildHref(['bots', botId, 'knowledge'], { document: document.id })}>View answer</a>
      </div>
      {document.error_message !== null && <p className="cell-note">{document.error_message}</p>}
      <ProblemMessage problem={problem} />
    </>
  );
}
