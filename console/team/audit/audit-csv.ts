import { formatCsvLine } from '../../../core/text/csv.ts';
import type { AuditEvent } from '../../client/types.ts';

const columns: Record<string, (event: AuditEvent) => string | null> = {
  Time: ({ created_at: at }) => at,
  Name: ({ user_name: name }) => name,
  Email: ({ user_email: email }) => email,
  'API key': ({ key_name: name }) => name,
  Operation: ({ operation }) => operation,
  Action: ({ action }) => action,
  Resource: ({ resource_type: type }) => type,
  'Resource ID': ({ resource_id: id }) => id,
  Fields: ({ changed_fields: fields }) => fields.join(' '),
  'IP address': ({ ip }) => ip,
  'User agent': ({ user_agent: agent }) => agent,
  'Request ID': ({ request_id: id }) => id,
};

export function toAuditCsv(events: readonly AuditEvent[]): string {
  const lines = events.map((event) => formatCsvLine(Object.values(columns).map((toCell) => toCell(event))));
  return formatCsvLine(Object.keys(columns)) + lines.join('');
}
