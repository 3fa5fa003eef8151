import { createCodeSamplesPlugin } from './code-samples.ts';
import { fetchWithCutoff } from './fetch-with-cutoff.ts';
import type { SwaggerUi } from './swagger-ui.ts';

declare const SwaggerUIBundle: SwaggerUi;

const response = await fetch('/openapi.json');
const spec = (await response.json()) as object;
// Swagger UI holds an entered key in memory only, unless configured otherwise.
SwaggerUIBundle({
  // Trial calls go to the origin of this page, not to the public URL of the document.
  spec: { ...spec, servers: [{ url: window.location.origin }] },
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  // Shows the operation ids that the CLI, the SDKs and the guides use.
  displayOperationId: true,
  filter: true,
  tagsSorter: 'alpha',
  validatorUrl: null,
  plugins: [createCodeSamplesPlugin],
  requestInterceptor: (request) => Object.assign(request, { userFetch: fetchWithCutoff }),
});
