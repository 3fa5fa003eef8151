/** Untyped JSON, for tests that modify a document such as OpenAPI: a type would be as long as the test. */
// oxlint-disable-next-line typescript/no-explicit-any -- a document may have any shape
export type LooseJson = any;
