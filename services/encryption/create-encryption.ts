import { attachContentKeys } from '../../database/content-keys.ts';
import { ArchiveContentRepository } from '../../repositories/archive/archive-content.repository.ts';
import { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import { ArchiveUploadRepository } from '../../repositories/archive/archive-upload.repository.ts';
import { ContentWriters } from '../../repositories/encryption/content-writers.repository.ts';
import { KeyServiceRepository } from '../../repositories/encryption/key-service.repository.ts';
import { QuestionQueueRepository } from '../../repositories/analytics/question-queue.repository.ts';
import { QuestionRepository } from '../../repositories/analytics/question.repository.ts';
import { ConversationFileRepository } from '../../repositories/conversations/conversation-file.repository.ts';
import { OriginalRepository } from '../../repositories/knowledge/original.repository.ts';
import { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import { TableRewritingRepository } from '../../repositories/encryption/table-rewriting.repository.ts';
import { WorkspaceKeyRepository } from '../../repositories/encryption/workspace-key.repository.ts';
import { QuestionsReseal } from '../analytics/questions-reseal.ts';
import { QuestionGrouping } from '../analytics/question-grouping.ts';
import { ArchiveUploads } from '../archive/imports/archive-uploads.ts';
import { ArchiveFilesReseal } from '../archive/archive-files-reseal.ts';
import { ConversationFileContent } from '../conversations/files/conversation-file-content.ts';
import { Originals } from '../knowledge/originals.ts';
import { DocumentFilesReseal } from '../knowledge/document-files-reseal.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';
import { ContentFiles } from './content-files.ts';
import { EncryptionService } from './encryption-service.ts';
import { KeyUnwrapping } from './key-unwrapping.ts';
import { KeyServiceSettings } from './key-service-settings.ts';
import { KeyServices } from './key-services.ts';
import { OutdatedUploads } from './outdated-uploads.ts';
import { OperatorSealing } from './operator-sealing.ts';
import { databaseResealTargets } from './reseal-targets.ts';
import { UndecryptableValueCounter } from './undecryptable-value-counter.ts';
import { TableRewriting } from './table-rewriting.ts';
import { Resealing } from './resealing.ts';
import { SealingStates } from './sealing-states.ts';
import { WorkspaceContentKeys } from './workspace-content-keys.ts';

/** Creates the services that encrypt and decrypt content in the database and in files. */
export function createEncryption(
  { database, queues, keyReads, keyring, secretOutbound, settings, storage, clock, log }: ServiceDeps,
  { outbox }: Pick<SharedDeps, 'outbox'>,
) {
  const keys = new WorkspaceKeyRepository();
  const encryption = new OrgEncryptionRepository();
  const keyServices = new KeyServices({
    rows: new KeyServiceRepository(),
    keyring,
    outbound: secretOutbound,
    settings,
  });
  const undecryptableValues = new UndecryptableValueCounter();
  const unwrapping = new KeyUnwrapping({ keys, services: keyServices, keyring, clock, undecryptableValues });
  const states = new SealingStates({ database: keyReads, encryption, clock, settings });
  const contentKeys = new WorkspaceContentKeys({
    database: keyReads,
    keys,
    encryption,
    unwrapping,
    states,
    clock,
    undecryptableValues,
    settings,
    log,
  });
  for (const { dataSource } of [database, queues]) attachContentKeys(dataSource, contentKeys);
  const contentFiles = new ContentFiles({ storage, contentKeys });
  const originalRows = new OriginalRepository();
  const originals = new Originals(contentFiles, originalRows);
  const originalFiles = new DocumentFilesReseal({ rows: originalRows, originals, outbox });
  const conversationFiles = new ConversationFileContent({
    rows: new ConversationFileRepository(),
    files: contentFiles,
    outbox,
  });
  const archiveUploads = new ArchiveUploads({
    rows: new ArchiveUploadRepository(),
    files: contentFiles,
    contentKeys,
  });
  const archives = new ArchiveFilesReseal({
    jobs: new ArchiveJobRepository(),
    rows: new ArchiveContentRepository(),
    uploads: archiveUploads,
    keys,
    files: contentFiles,
    contentKeys,
  });
  const questions = new QuestionRepository();
  const grouping = new QuestionGrouping({ questions, queue: new QuestionQueueRepository() });
  const questionWords = new QuestionsReseal(questions, grouping);
  const shared = { encryption, keys, unwrapping, contentKeys, sealsContent: settings.sealContent };
  return {
    contentKeys,
    contentFiles,
    archiveUploads,
    originals,
    conversationFileContent: conversationFiles,
    keyServices,
    encryptionStates: encryption,
    outdatedUploads: new OutdatedUploads({ contentKeys, encryption, outbox }),
    undecryptableValues,
    encryption: new EncryptionService({ ...shared, keyServices, outbox }),
    keyServiceSettings: new KeyServiceSettings({ ...shared, keyServices, outbound: secretOutbound }),
    operatorSealing: new OperatorSealing({ ...shared, outbox, log }),
    tableRewriting: new TableRewriting({ encryption, rewriting: new TableRewritingRepository(), settings }),
    resealing: new Resealing({
      ...shared,
      writers: new ContentWriters(),
      targets: [...databaseResealTargets, originalFiles, conversationFiles, archives, questionWords],
    }),
  };
}
