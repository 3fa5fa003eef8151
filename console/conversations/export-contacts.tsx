import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { ActionButton } from '../components/action-button.tsx';
import { saveFile } from '../components/save-file.ts';

/** Button for admins that downloads all contacts as a CSV file. */
export function ExportContacts() {
  const { client } = useSession();
  if (!usePermission()('contacts:read', 'admin')) return null;
  return (
    <ActionButton onAction={async () => saveFile(await client.file('/api/contacts/export'), 'contacts.csv')}>
      Download all contacts
    </ActionButton>
  );
}
