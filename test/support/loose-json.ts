/** Untyped JSON, for tests that modify a document such as OpenAPI: a type would be as long as the test. */
// oxlint-disable-next-line typescript/no-explicit-any -- what is meant is anything
export type LooseJson = any;
