/** Types for the parts of Swagger UI that this page uses; Swagger UI ships no types. */
export type Component = (props: Props) => unknown;
export type Props = Readonly<Record<string, unknown>>;

interface React {
  createElement(type: string | Component, props: object | null, ...children: unknown[]): unknown;
  useId(): string;
  useSyncExternalStore<T>(subscribe: (changed: () => void) => () => void, read: () => T): T;
}

export interface System {
  React: React;
  specSelectors: { specJson(): { getIn(path: readonly unknown[]): { toJS(): unknown } | undefined } };
}

interface TrialRequest {
  userFetch?: typeof fetch;
}

export type SwaggerUi = (options: {
  spec: object;
  dom_id: string;
  deepLinking: boolean;
  docExpansion: 'list';
  displayOperationId: boolean;
  filter: boolean;
  tagsSorter: 'alpha';
  validatorUrl: null;
  plugins: readonly object[];
  requestInterceptor: (request: TrialRequest) => TrialRequest;
}) => unknown;
