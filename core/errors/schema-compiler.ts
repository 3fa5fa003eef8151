/**
 * Ajv options that make compiling a schema twice as fast. Each process compiles its schemas at start. Tests
 * already check the schemas, and optimized code would not validate faster.
 */
export const compilesQuickly = { validateSchema: false, code: { optimize: false } } as const;
