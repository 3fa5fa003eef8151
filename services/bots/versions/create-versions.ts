import type { Settings } from '../../../core/settings/settings.ts';
import type { AvatarRepository } from '../../../repositories/bots/avatar.repository.ts';
import { BotVersionRepository } from '../../../repositories/bots/bot-version.repository.ts';
import { MemberRepository } from '../../../repositories/team/member.repository.ts';
import { OrgRepository } from '../../../repositories/team/org.repository.ts';
import type { AvatarService } from '../avatar-service.ts';
import type { BotService } from '../bot-service.ts';
import type { FlowCopies } from '../../flows/flow-copies.ts';
import type { SharedDeps } from '../../service-deps.ts';
import { BotDuplicateService } from './bot-duplicate-service.ts';
import { BotVersionService } from './bot-version-service.ts';

interface VersionsDeps extends Pick<SharedDeps, 'bots'> {
  settings: Pick<Settings, 'botVersionsKept'>;
  botService: BotService;
  avatars: AvatarService;
  avatarRows: AvatarRepository;
  flowCopies: FlowCopies;
}

/** Creates the services that save versions of bots and copy bots. */
export function createVersions(deps: VersionsDeps) {
  const { settings, bots: rows, botService: bots, avatars, avatarRows, flowCopies } = deps;
  const botVersions = new BotVersionService({
    versions: new BotVersionRepository(),
    botRows: rows,
    bots,
    avatars,
    settings,
  });
  const botDuplicates = new BotDuplicateService({
    botRows: rows,
    avatarRows,
    orgs: new OrgRepository(),
    members: new MemberRepository(),
    bots,
    avatars,
    versions: botVersions,
    flowCopies,
  });
  return { botVersions, botDuplicates };
}
