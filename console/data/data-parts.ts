/** Pages for operations on all content of a workspace. */
export const dataParts = [
  ['archive', 'Archive'],
  ['encryption', 'Encryption'],
] as const;
export type DataPart = (typeof dataParts)[number][0];
