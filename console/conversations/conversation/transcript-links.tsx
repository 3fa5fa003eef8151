import { path } from '../../client/paths.ts';
import { useSession } from '../../session/session.tsx';
import { ActionButton } from '../../components/action-button.tsx';
import { saveFile } from '../../components/save-file.ts';

const formats = [
  ['txt', 'Text'],
  ['csv', 'CSV'],
  ['json', 'JSON'],
] as const;

export function TranscriptLinks({ id }: { id: string }) {
  const { client } = useSession();
  return (
    <section className="panel-part">
      <h3>Transcript</h3>
      <div className="row">
        {formats.map(([format, name]) => (
          <ActionButton
            key={format}
            about="of the conversation"
            onAction={async () =>
              saveFile(
                await client.file(`${path`/api/conversations/${id}/transcript`}?format=${format}`),
                `conversation-${id}.${format}`,
              )
            }
          >
            {name}
          </ActionButton>
        ))}
      </div>
    </section>
  );
}
