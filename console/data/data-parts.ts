/** Pages about all content of a workspace, with their labels. */
export const dataParts = [
  ['archive', 'Archive'],
  ['encryption', 'Encryption'],
] as const;
export type DataPart = (typeof dataParts)[number][0];
