import { Type, type Static } from '@sinclair/typebox';
import { Nullable } from '../http/schemas/schemas.ts';

const limit = (description: string) =>
  Nullable(
    Type.Integer({ minimum: 0, description: `${description}; null for any number.`, examples: [2000] }),
  );

export const Limits = Type.Object(
  {
    messages_per_month: limit('Turns of visitors that bots answer in a month of UTC'),
    documents: limit('Documents, pages that were crawled among them'),
    bots: limit('Bots that are not archived'),
    seats: limit('People who may do more than read, and those who are invited to'),
    alerts_per_month: limit('Messages to messaging apps in a month of UTC'),
  },
  { $id: 'Limits', description: 'What a plan allows to a workspace and all below it together.' },
);
export type Limits = Static<typeof Limits>;
