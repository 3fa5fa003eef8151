import { BackgroundService } from './background-service.ts';

// Replaces journalctl: prints the log of a guide's unit.

const [, unit = ''] = /--unit[= ](\S+)/.exec(process.argv.slice(2).join(' ')) ?? [];
process.stdout.write(new BackgroundService(unit).log);
