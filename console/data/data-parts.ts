/** What is done with all content of a workspace, each on a page of its own. */
export const dataParts = [
  ['archive', 'Archive'],
  ['encryption', 'Encryption'],
] as const;
export type DataPart = (typeof dataParts)[number][0];
