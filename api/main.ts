import { Keyring } from '../adapters/keys/keyring.ts';
import { OutboundClient } from '../adapters/http/outbound-client.ts';
import { systemClock } from '../core/clock.ts';
import { createLogger } from '../core/logger.ts';
import { loadSettings, splitList, SettingsError } from '../core/settings.ts';
import { createDataSource } from '../entities/data-source.ts';
import { Database } from '../entities/database.ts';
import { createServices } from '../services/services.ts';
import { createApp } from './app.ts';
import { Authenticator } from './http/authenticate.ts';
import { operations } from './registry.ts';
import { listen } from './server.ts';

async function main(): Promise<void> {
  const settings = loadSettings(process.env);
  if (!settings.masterKey) throw new SettingsError(['PARLEY_MASTER_KEY must be set.']);
  const log = createLogger('api', settings.logLevel);
  const dataSource = await createDataSource(settings, 'parley-api').initialize();
  const database = new Database(dataSource);
  const keyring = new Keyring(settings.masterKey);
  const outbound = new OutboundClient({ allow: splitList(settings.outboundAllow), userAgent: 'Parley/1.0' });
  const services = createServices({
    settings,
    database,
    keyring,
    outbound,
    clock: systemClock,
    log,
    checks: {},
  });
  const app = createApp(operations, {
    settings,
    database,
    services,
    authenticator: new Authenticator(database, keyring),
    rateLimiter: services.rateLimiter,
    log,
  });
  const server = await listen(app, settings.host, settings.port);
  log.info({ port: server.port }, 'listening');

  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await server.close(settings.shutdownGraceMs);
    await outbound.close();
    await dataSource.destroy();
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof SettingsError ? error.message : (error as Error).stack}\n`);
  process.exit(1);
});
