import { BackgroundService } from './background-service.ts';

// Replaces the program journalctl in tests of guides: prints the log of a unit that the guide has started.

const [, unit = ''] = /--unit[= ](\S+)/.exec(process.argv.slice(2).join(' ')) ?? [];
process.stdout.write(new BackgroundService(unit).log);
