import type { Credential } from '../session/stored-state.ts';

// Types shared by the widget's script and the part for files in conversations, which the launcher's part loads on
// demand. As with bookings, the part's URL contains a digest of this file.

/** The members of the visitor’s conversation that the part for files uses. */
export interface FilesChat {
  readonly language: string;
  /** URL of the API without a trailing slash. */
  readonly base: string;
  readonly visitorCount: number;
  readonly session: {
    readonly credential: Credential | undefined;
    useActive<T>(call: (credential: Credential) => Promise<T>): Promise<T>;
    useExisting<T>(call: (credential: Credential) => Promise<T>): Promise<T | null>;
    renew(expired: Credential): Promise<Credential>;
  };
  /** Sends a message with the files that were uploaded for this client id. */
  send(content: string, optionId?: string, clientId?: string): void;
}

export interface FilesOptions {
  chat: FilesChat;
  /** Kinds of files that the bot accepts. */
  accepted: { images: boolean; documents: boolean };
  /** Aborted when the widget is removed from the page. */
  signal: AbortSignal;
}

export interface FilesModule {
  /** Lets the visitor send files, and shows the files of messages. */
  attachFiles(root: ShadowRoot, options: FilesOptions): void;
}
