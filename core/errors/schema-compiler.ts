/**
 * Ajv options that make compiling a schema twice as fast. Each process compiles its schemas at start. They
 * need no check here, because tests check them, and optimized code would validate no faster.
 */
export const compilesQuickly = { validateSchema: false, code: { optimize: false } } as const;
