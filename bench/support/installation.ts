/** A running Parley to measure. */
export interface Installation {
  apiUrl: string;
  apiKey: string;
  databaseUrl: string;
}
