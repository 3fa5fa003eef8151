/** JSON that a test takes apart as it pleases, such as an OpenAPI document that it breaks: a type would be as long as the test. */
// oxlint-disable-next-line typescript/no-explicit-any -- what is meant is anything
export type LooseJson = any;
