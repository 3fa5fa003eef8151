/** Returns whether a link leads to a URL that people can use elsewhere, not to a part of its document. */
export const isPublicLink = (target: string): boolean => /^(?:https?|mailto|tel):/i.test(target);
