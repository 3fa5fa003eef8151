// Before anything else is loaded: failures are told by the lines of the sources.
process.setSourceMapsEnabled(true);
