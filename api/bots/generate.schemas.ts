import { Type, type Static } from '@sinclair/typebox';
import { FreeForm, Nullable, Strict } from '../http/schemas/schemas.ts';
import { BotRead } from './bots.schemas.ts';

export const BotGenerateRequest = Strict(
  {
    description: Type.String({
      minLength: 10,
      maxLength: 4000,
      description: 'A description of the business and of the bot’s task.',
      examples: ['Acme is a bicycle workshop in Lisbon that repairs and rents bicycles.'],
    }),
    website_url: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 1000,
          description: 'The business’s website; up to five pages are read. A missing scheme means https.',
          examples: ['www.example.com'],
        }),
      ),
    ),
    import_website: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether to import the website as a document of the bot.' }),
    ),
    activate: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to activate the bot immediately.' }),
    ),
  },
  { $id: 'BotGenerateRequest', description: 'The input for drafting a bot.' },
);

const DescribedText = (description: string) => Type.String({ description });
const texts = (description: string) => Type.Array(Type.String(), { description });

const BotBlueprint = Type.Object(
  {
    name: DescribedText('The name of the business, if known.'),
    description: DescribedText('A description for the team.'),
    industry: DescribedText('The kind of business.'),
    system_prompt: DescribedText(
      'Role and tone of the bot, with facts from the description and the website.',
    ),
    welcome_message: DescribedText('The first message to visitors.'),
    fallback_message: DescribedText('The bot’s reply if the documents have no answer.'),
    language: DescribedText('The language of the description, or auto.'),
    starter_questions: texts('Questions that the widget suggests at the start.'),
    suggested_kb_topics: texts('Suggested topics for the bot’s documents.'),
    temperature: Type.Number({ description: 'The sampling temperature of the model.' }),
    strict_kb_mode: Type.Boolean({ description: 'Whether the bot answers only from its documents.' }),
    lead_capture_config: Nullable(
      FreeForm('The lead form, if the description asks for visitors’ details; see LeadCaptureConfig.'),
    ),
    directory_config: Nullable(
      FreeForm('People and places that have their own pages on the website; see DirectoryConfig.'),
    ),
    contact_fields_config: Type.Array(FreeForm(), {
      description: 'The fields that the model extracts from conversations; see ContactFieldDef.',
    }),
    widget_theme: FreeForm('The widget’s appearance; see WidgetTheme.'),
  },
  { $id: 'BotBlueprint', description: 'The draft of a bot.' },
);

export const BotGenerateResponse = Type.Object(
  {
    blueprint: BotBlueprint,
    bot: Nullable(BotRead),
    embed_snippet: Nullable(Type.String({ description: 'The line to paste into a page, before </body>.' })),
    import_job_queued: Type.Boolean({
      default: false,
      description: 'Whether the website is being imported; false if its robots.txt forbids the import.',
    }),
  },
  { $id: 'BotGenerateResponse', description: 'A generated bot, and the draft that it was created from.' },
);
export type BotGenerateRequest = Static<typeof BotGenerateRequest>;
