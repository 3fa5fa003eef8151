import { AlertAttemptRepository } from '../../repositories/alerts/alert-attempt.repository.ts';
import { AlertDayRepository } from '../../repositories/alerts/alert-day.repository.ts';
import { AlertDestinationRepository } from '../../repositories/alerts/alert-destination.repository.ts';
import { AlertFactsRepository } from '../../repositories/alerts/alert-facts.repository.ts';
import { AlertMessageRepository } from '../../repositories/alerts/alert-message.repository.ts';
import { AlertMoveRepository } from '../../repositories/alerts/alert-move.repository.ts';
import { AlertPolicyRepository } from '../../repositories/alerts/alert-policy.repository.ts';
import { AlertProviderRepository } from '../../repositories/alerts/alert-provider.repository.ts';
import { AlertRepository } from '../../repositories/alerts/alert.repository.ts';
import { DigestFactsRepository } from '../../repositories/alerts/digest-facts.repository.ts';
import { DigestRepository } from '../../repositories/alerts/digest.repository.ts';
import { EventCountRepository } from '../../repositories/alerts/event-count.repository.ts';
import { RateWindowRepository } from '../../repositories/requests/rate-window.repository.ts';
import { OrgRepository } from '../../repositories/team/org.repository.ts';
import { AlertZoneRepository } from '../../repositories/alerts/alert-zone.repository.ts';
import { StalledAlertRepository } from '../../repositories/alerts/stalled-alert.repository.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';
import type { AccessNotices } from '../team/access-notices.ts';
import type { TeamNotices } from '../mail/notices/team-notices.ts';
import type { AlertQuota } from '../usage/alert-quota.ts';
import { AlertEstimator } from './alert-estimator.ts';
import { AlertPurge } from './alert-purge.ts';
import { AlertQueue } from './alert-queue.ts';
import { AlertScheduler } from './alert-scheduler.ts';
import { AlertWriter } from './alert-writer.ts';
import { AlertConnectionService } from './channels/alert-connection-service.ts';
import { DestinationHealth } from './channels/destination-health.ts';
import { DigestSweep } from './digests/digest-sweep.ts';
import { Digests } from './digests/digests.ts';
import { CapturedMessages } from './messages/captured-messages.ts';
import { LateStatuses } from './messages/late-statuses.ts';
import { MessageSender } from './messages/message-sender.ts';
import { AlertPolicyService } from './alert-policy-service.ts';
import { SendResults } from './messages/send-results.ts';
import { StalledAlerts } from './stalled-alerts.ts';
import { TelegramUpdates } from './channels/telegram-updates.ts';
import { WhatsappHooks } from './channels/whatsapp-hooks.ts';
import { AlertVerificationService } from './channels/alert-verification-service.ts';

interface AlertsDeps extends SharedDeps {
  alertQuota: AlertQuota;
  teamNotices: Pick<TeamNotices, 'mailAlertsBlocked'>;
  accessNotices: AccessNotices;
}

/** Creates the services that send alerts to messaging apps. */
export function createAlerts(
  deps: ServiceDeps,
  { bots, outbox, teamNotices, accessNotices, alertQuota: quota }: AlertsDeps,
) {
  const { settings, keyring, clock, log, messaging, database } = deps;
  const repositories = {
    policies: new AlertPolicyRepository(),
    destinations: new AlertDestinationRepository(),
    messages: new AlertMessageRepository(),
    alerts: new AlertRepository(),
    attempts: new AlertAttemptRepository(),
    days: new AlertDayRepository(),
  };
  const alertQueue = new AlertQueue({ ...repositories, outbox, keyring });
  const shared = { ...repositories, queue: alertQueue, outbox, clock, settings, log, quota };
  const alertPolicies = new AlertPolicyService({ ...shared, zones: new AlertZoneRepository(), bots });
  const alertConnections = new AlertConnectionService({ ...shared, accessNotices });
  const health = new DestinationHealth({
    ...repositories,
    moves: new AlertMoveRepository(),
    notifyBlocked: async (scope, destination) =>
      void (await teamNotices.mailAlertsBlocked(scope, destination)),
  });
  const digestRepositories = { digests: new DigestRepository(), counts: new EventCountRepository() };
  const providers = new AlertProviderRepository();
  const orgs = new OrgRepository();
  const statuses = new LateStatuses({ ...shared, health, providers });
  return {
    digestSweep: new DigestSweep({ ...shared, ...digestRepositories }),
    digests: new Digests({ ...shared, ...digestRepositories, facts: new DigestFactsRepository() }),
    alertEstimator: new AlertEstimator({ ...shared, ...digestRepositories, orgs }),
    alertQueue,
    capturedMessages: new CapturedMessages({ ...shared, connections: alertConnections }),
    whatsappHooks: new WhatsappHooks({
      ...shared,
      providers,
      connections: alertConnections,
      health,
      statuses,
    }),
    alertPolicies,
    alertConnections,
    alertVerifications: new AlertVerificationService({
      ...shared,
      policies: alertPolicies,
      orgs,
      keyring,
      rateWindows: new RateWindowRepository(database),
    }),
    alertScheduler: new AlertScheduler(shared),
    messageSender: new MessageSender({
      ...shared,
      writer: new AlertWriter({ ...shared, facts: new AlertFactsRepository() }),
      results: new SendResults({ ...shared, health }),
      messengers: messaging.messengers,
    }),
    alertPurge: new AlertPurge(),
    stalledAlerts: new StalledAlerts({ stalled: new StalledAlertRepository(), outbox }),
    telegramUpdates: new TelegramUpdates({
      ...shared,
      telegram: messaging.telegram,
      providers,
      connections: alertConnections,
    }),
  };
}
