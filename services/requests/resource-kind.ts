/** Kinds of resources that queries name by id. */
export type ResourceKind = 'bot' | 'contact' | 'delivery' | 'flow' | 'webhook';
