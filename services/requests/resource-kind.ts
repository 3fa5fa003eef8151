/** Kinds of resources that queries name by id. */
export type ResourceKind = 'bot' | 'contact' | 'conversation' | 'delivery' | 'flow' | 'test_run' | 'webhook';
