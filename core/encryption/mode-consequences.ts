/** Sentences that explain each mode of content encryption to owners of a workspace before they choose one. */
export const consequences = {
  platform: ['The operators of this service can read the content. Only secrets are encrypted.'],
  tenant: [
    'Messages, summaries, contact details, passages and files are encrypted with keys that only your key service can decrypt.',
    'While you permit it, this service decrypts them to answer, export and deliver. This is not end-to-end encryption.',
    "Not encrypted: the word index of your documents, which reveals most of their text; their titles and addresses; bots' settings; ids, visitor ids, identities, page addresses, countries, tags, times, counts, ratings, states.",
    'Text search in conversations and contacts finds only visitor ids and identities.',
    'Without your key, bots stop within 5 minutes, or within an hour if your key service does not respond. If you restore the key, everything continues. If you destroy it, the content is lost, including backups.',
    'Models, webhooks, emails and visitors receive the content in plain text.',
  ],
} as const;
