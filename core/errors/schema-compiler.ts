/**
 * Ajv options for the schemas of the code. Tests check the schemas, and each process compiles them at start, so speed
 * matters. Checking each schema and optimizing its code would take twice the time without faster validation.
 */
export const compilesQuickly = { validateSchema: false, code: { optimize: false } } as const;
