/** URL of the list of deliveries, which is also the first part of its key in the cache. */
export const DELIVERIES_URL = '/api/webhooks/deliveries';
