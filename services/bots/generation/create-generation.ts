import { BotGenerationRepository } from '../../../repositories/bots/bot-generation.repository.ts';
import type { AvatarRepository } from '../../../repositories/bots/avatar.repository.ts';
import type { AvatarService } from '../avatar-service.ts';
import type { BotService } from '../bot-service.ts';
import type { DocumentIntake } from '../../knowledge/document-intake.ts';
import type { ServiceDeps, SharedDeps } from '../../service-deps.ts';
import type { Quotas } from '../../usage/quotas.ts';
import type { TokenUsage } from '../../usage/token-usage.ts';
import type { BotVersionService } from '../versions/bot-version-service.ts';
import { DraftingService } from './drafting-service.ts';
import { GenerationService } from './generation-service.ts';
import { SiteReader } from './site-reader.ts';

interface GenerationDeps extends Pick<SharedDeps, 'outbox'> {
  botService: BotService;
  documentIntake: DocumentIntake;
  botVersions: BotVersionService;
  avatars: AvatarService;
  avatarRows: AvatarRepository;
  tokens: TokenUsage;
  quotas: Quotas;
}

/** Creates the services that generate bots from descriptions. */
export function createGeneration(
  { settings, outbound, models, log }: Pick<ServiceDeps, 'settings' | 'outbound' | 'models' | 'log'>,
  {
    botService: bots,
    documentIntake: documents,
    botVersions: versions,
    outbox,
    avatars,
    avatarRows,
    tokens,
    quotas,
  }: GenerationDeps,
) {
  const generations = new BotGenerationRepository();
  return {
    generations: new GenerationService({
      generations,
      bots,
      versions,
      documents,
      outbox,
      outbound,
      settings,
      avatars,
      avatarRows,
      log,
      quotas,
    }),
    drafting: new DraftingService({ generations, reader: new SiteReader(outbound), models, tokens }),
  };
}
