import { createCodeSamplesPlugin } from './code-samples.ts';
import { fetchWithCutoff } from './fetch-with-cutoff.ts';
import type { SwaggerUi } from './swagger-ui.ts';

declare const SwaggerUIBundle: SwaggerUi;

const response = await fetch('/openapi.json');
const spec = (await response.json()) as object;
// Swagger UI stores an entered API key only in memory, unless told otherwise.
SwaggerUIBundle({
  // “Try it out” calls this page's origin, which may differ from the public URL in the document.
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
