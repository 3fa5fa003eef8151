/** API URL of the list of webhook deliveries, which is also the first part of its key in the cache. */
export const DELIVERIES_URL = '/api/webhooks/deliveries';
