import { mapStackTraces } from '../../core/errors/source-lines.ts';

// Runs before all other modules, so that stack traces name lines of the sources.
mapStackTraces(new URL('../../.tests/', import.meta.url).href);
