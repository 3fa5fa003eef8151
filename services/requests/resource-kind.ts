/** Kinds of resources that queries name by id. */
export type ResourceKind = 'bot' | 'contact' | 'delivery' | 'flow' | 'test_run' | 'webhook';
