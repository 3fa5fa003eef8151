// Made by `npm run generate` from the operations of the API. Change those instead.

/** The dated version of the API that every request asks for. */
export const API_VERSION = '2026-09-03';
export const SDK_VERSION = '0.1.0';
