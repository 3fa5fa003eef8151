/**
 * How Ajv compiles the schemas of the code. They are checked by tests, and each process compiles them when it starts, so that is
 * not to take long: checking each schema and shortening what is made of it take twice the time, and make nothing quicker.
 */
export const compilesQuickly = { validateSchema: false, code: { optimize: false } } as const;
