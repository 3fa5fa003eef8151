import { ReceivedResponse } from '../support/api-client.ts';
import type { ApiClient } from '../support/parley.ts';
import type { BodyAt } from '../support/response-types.ts';

type FileBody = BodyAt<'POST', '/api/ext/public/sessions/{}/files'>;

/** Uploads a visitor's file with form fields. */
export async function upload(
  client: ApiClient,
  path: string,
  content: Uint8Array | string,
  { name = 'photo.png', type = '', ...fields }: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const body = new FormData();
  for (const [key, value] of Object.entries(fields)) body.set(key, value);
  const bytes = typeof content === 'string' ? content : new Uint8Array(content);
  body.set('file', new File([bytes], name, { type }));
  const response = await client.fetch(path, { method: 'POST', body, headers });
  return new ReceivedResponse(response, (await response.json()) as FileBody);
}
