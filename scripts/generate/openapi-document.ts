import { buildOpenApi } from '../../api/http/openapi.ts';
import { operations } from '../../api/registry.ts';

/** openapi.json at the root: the document of all operations, for a server on its default address. */
export function openApiDocument(): string {
  return `${JSON.stringify(buildOpenApi(operations, 'http://localhost:3000'), null, 2)}\n`;
}
