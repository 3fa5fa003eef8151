import { codeSamples } from './code-samples.ts';
import { fetchForAWhile } from './fetch-for-a-while.ts';
import type { SwaggerUi } from './swagger-ui.ts';

declare const SwaggerUIBundle: SwaggerUi;

const response = await fetch('/openapi.json');
const spec = (await response.json()) as object;
// A key that is entered stays in the memory of the page: Swagger UI keeps none unless it is told to.
SwaggerUIBundle({
  // Trial calls go to the address that the page was opened at, whatever the document says of the public one.
  spec: { ...spec, servers: [{ url: window.location.origin }] },
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  // The names by which the command line, the SDKs and guides speak of operations.
  displayOperationId: true,
  filter: true,
  tagsSorter: 'alpha',
  validatorUrl: null,
  plugins: [codeSamples],
  requestInterceptor: (request) => Object.assign(request, { userFetch: fetchForAWhile }),
});
