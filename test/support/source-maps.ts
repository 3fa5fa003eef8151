// Runs before all other modules, so that stack traces name lines of the sources.
process.setSourceMapsEnabled(true);
