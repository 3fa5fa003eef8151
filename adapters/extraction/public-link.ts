/**
 * Returns whether a link in a document leads to a URL that people can use elsewhere, not to a part of the
 * document.
 */
export const isPublicLink = (target: string): boolean => /^(?:https?|mailto|tel):/i.test(target);
