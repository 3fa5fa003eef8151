import { BackgroundService } from './background-service.ts';

// What systemd's journal has of the units of guides.

const [, unit = ''] = /--unit[= ](\S+)/.exec(process.argv.slice(2).join(' ')) ?? [];
process.stdout.write(new BackgroundService(unit).log);
