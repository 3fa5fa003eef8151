/** Sentences that explain each encryption mode to owners before they choose one. */
export const consequences = {
  platform: ['Content is readable to those who operate this service; only secrets are sealed.'],
  tenant: [
    'Messages, summaries, contact details, passages and files are sealed with keys that only your key service can open.',
    'While you permit it, this service reads them to answer, export and deliver. This is not end-to-end encryption.',
    "Not sealed: the word index of your documents, which reveals most of their text; their titles and addresses; bots' settings; ids, visitor ids, identities, page addresses, countries, tags, times, counts, ratings, states.",
    'Text search in conversations and contacts finds only visitor ids and identities.',
    'Without your key, bots stop within 5 minutes (an hour if your service merely does not answer). Give it back and all goes on; destroy it and all is lost, backups included.',
    'Models, webhooks, e-mails and visitors receive content readable.',
  ],
} as const;
