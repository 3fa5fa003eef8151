import { path } from '../client/paths.ts';

export function getContactUrl(id: string): string {
  return path`/api/contacts/${id}`;
}
