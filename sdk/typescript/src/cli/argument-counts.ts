/** Permitted numbers of arguments, for commands that take none. */
export const NO_ARGUMENTS = { min: 0, max: 0 };
export const ONE_ARGUMENT = { min: 1, max: 1 };
