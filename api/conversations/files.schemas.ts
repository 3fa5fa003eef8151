import { Type, type Static } from '@sinclair/typebox';
import { conversationImageMimeTypes } from '../../adapters/images/conversation-image.ts';
import { documentFormats } from '../../adapters/extraction/document-types.ts';
import { DateTime, Nullable, StringEnum, Strict, Uuid } from '../http/schemas/schemas.ts';

const { html, ...documents } = documentFormats;
export const fileTypes = [
  ...conversationImageMimeTypes,
  ...Object.values(documents).map(({ mimeType }) => mimeType),
];
/**
 * Media types that clients may declare for an uploaded file. HTML pages are refused by their content, with a
 * message that says so.
 */
export const declaredFileTypes = [...fileTypes, html.mimeType];

export const ConversationFileRead = Type.Object(
  {
    id: Uuid('The file.'),
    message_id: Nullable(
      Uuid('Id of the message with the file; null until the visitor has sent the message.'),
    ),
    client_id: Nullable(
      Type.String({ description: 'The client_id of the visitor’s message with the file.' }),
    ),
    sender_role: StringEnum(['user', 'agent'], {
      description: 'Who sent the file: the visitor or the team.',
    }),
    name: Type.String({ description: 'The file’s name, with an extension that fits its content.' }),
    mime_type: Type.String({ description: 'The type of the content.' }),
    size_bytes: Type.Integer({ description: 'The size of the stored content.' }),
    width: Nullable(Type.Integer({ description: 'The width of an image in pixels; null for a document.' })),
    height: Nullable(Type.Integer({ description: 'The height of an image in pixels; null for a document.' })),
    url: Type.String({ description: 'A link to the content, which needs no credential.' }),
    url_expires_at: DateTime('Time at which the link expires. To get a new link, list the files again.'),
    created_at: DateTime('Time at which the file was uploaded.'),
  },
  { $id: 'ConversationFileRead', description: 'A file in a conversation.' },
);
export type ConversationFileRead = Static<typeof ConversationFileRead>;

export const WidgetFileFields = Strict({
  client_id: Type.String({
    minLength: 1,
    maxLength: 128,
    description:
      'The client_id of the message to which the file belongs. Send the message with this client_id within an hour.',
  }),
});

export const ConversationFileFields = Strict({
  content: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'The text of the message with the file; the file’s name by default.',
    }),
  ),
});
