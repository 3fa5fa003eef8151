/**
 * The content security policy of pages that only use this server's scripts, styles and calls. It also makes
 * browsers prevent scripts from inserting strings as HTML (Trusted Types).
 */
export const ownScriptsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
