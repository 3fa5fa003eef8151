import { mapStackTraces } from '../../core/errors/source-lines.ts';

// Map stack traces to lines of the sources. This module runs before all other modules.
mapStackTraces(new URL('../../.tests/', import.meta.url).href);
