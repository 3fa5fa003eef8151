// Made by `npm run generate` from the operations of the API. Change those instead.

import type { Operation } from '../options.ts';

export const listSessions: Operation = {
  id: 'listSessions',
  method: 'GET',
  path: '/api/auth/sessions',
  auth: 'session',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const login: Operation = {
  id: 'login',
  method: 'POST',
  path: '/api/auth/login',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const logout: Operation = {
  id: 'logout',
  method: 'POST',
  path: '/api/auth/logout',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const refreshToken: Operation = {
  id: 'refreshToken',
  method: 'POST',
  path: '/api/auth/refresh',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const requestOtp: Operation = {
  id: 'requestOtp',
  method: 'POST',
  path: '/api/auth/otp/request',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const revokeOtherSessions: Operation = {
  id: 'revokeOtherSessions',
  method: 'POST',
  path: '/api/auth/sessions/revoke-others',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const revokeSession: Operation = {
  id: 'revokeSession',
  method: 'DELETE',
  path: '/api/auth/sessions/{session_id}',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const switchOrg: Operation = {
  id: 'switchOrg',
  method: 'POST',
  path: '/api/auth/switch-org',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const verifyOtp: Operation = {
  id: 'verifyOtp',
  method: 'POST',
  path: '/api/auth/otp/verify',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const changePassword: Operation = {
  id: 'changePassword',
  method: 'POST',
  path: '/api/auth/password/change',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const deleteMe: Operation = {
  id: 'deleteMe',
  method: 'POST',
  path: '/api/auth/me/delete',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const forgotPassword: Operation = {
  id: 'forgotPassword',
  method: 'POST',
  path: '/api/auth/password/forgot',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getMe: Operation = {
  id: 'getMe',
  method: 'GET',
  path: '/api/auth/me',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const updateMe: Operation = {
  id: 'updateMe',
  method: 'PATCH',
  path: '/api/auth/me',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const register: Operation = {
  id: 'register',
  method: 'POST',
  path: '/api/auth/register',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const resendVerification: Operation = {
  id: 'resendVerification',
  method: 'POST',
  path: '/api/auth/email/resend',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const resetPassword: Operation = {
  id: 'resetPassword',
  method: 'POST',
  path: '/api/auth/password/reset',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const verifyEmail: Operation = {
  id: 'verifyEmail',
  method: 'POST',
  path: '/api/auth/email/verify',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const activateMfa: Operation = {
  id: 'activateMfa',
  method: 'POST',
  path: '/api/auth/mfa/activate',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const disableMfa: Operation = {
  id: 'disableMfa',
  method: 'POST',
  path: '/api/auth/mfa/disable',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getMfaStatus: Operation = {
  id: 'getMfaStatus',
  method: 'GET',
  path: '/api/auth/mfa',
  auth: 'session',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const regenerateRecoveryCodes: Operation = {
  id: 'regenerateRecoveryCodes',
  method: 'POST',
  path: '/api/auth/mfa/recovery-codes',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const setupMfa: Operation = {
  id: 'setupMfa',
  method: 'POST',
  path: '/api/auth/mfa/setup',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const verifyMfa: Operation = {
  id: 'verifyMfa',
  method: 'POST',
  path: '/api/auth/mfa/verify',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const finishIdentity: Operation = {
  id: 'finishIdentity',
  method: 'POST',
  path: '/api/auth/identities/{provider}/callback',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const linkIdentity: Operation = {
  id: 'linkIdentity',
  method: 'POST',
  path: '/api/auth/identities/{provider}/link',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listIdentities: Operation = {
  id: 'listIdentities',
  method: 'GET',
  path: '/api/auth/identities',
  auth: 'session',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const startIdentity: Operation = {
  id: 'startIdentity',
  method: 'POST',
  path: '/api/auth/identities/{provider}/start',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const unlinkIdentity: Operation = {
  id: 'unlinkIdentity',
  method: 'DELETE',
  path: '/api/auth/identities/{provider}',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const createBot: Operation = {
  id: 'createBot',
  method: 'POST',
  path: '/api/bots',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listBots: Operation = {
  id: 'listBots',
  method: 'GET',
  path: '/api/bots',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const deleteBot: Operation = {
  id: 'deleteBot',
  method: 'DELETE',
  path: '/api/bots/{bot_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getBot: Operation = {
  id: 'getBot',
  method: 'GET',
  path: '/api/bots/{bot_id}',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const updateBot: Operation = {
  id: 'updateBot',
  method: 'PATCH',
  path: '/api/bots/{bot_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getBotEmbed: Operation = {
  id: 'getBotEmbed',
  method: 'GET',
  path: '/api/bots/{bot_id}/embed',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const generateBot: Operation = {
  id: 'generateBot',
  method: 'POST',
  path: '/api/bots/generate',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'generation',
  accept: 'application/json',
};

export const duplicateBot: Operation = {
  id: 'duplicateBot',
  method: 'POST',
  path: '/api/bots/{bot_id}/duplicate',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const uploadBotAvatar: Operation = {
  id: 'uploadBotAvatar',
  method: 'POST',
  path: '/api/bots/{bot_id}/theme/avatar',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'transfer',
  accept: 'application/json',
};

export const listModels: Operation = {
  id: 'listModels',
  method: 'GET',
  path: '/api/models',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const testBotProvider: Operation = {
  id: 'testBotProvider',
  method: 'POST',
  path: '/api/bots/{bot_id}/provider/test',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'generation',
  accept: 'application/json',
};

export const tryBot: Operation = {
  id: 'tryBot',
  method: 'POST',
  path: '/api/bots/{bot_id}/playground',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'generation',
  accept: 'application/json',
};

export const tryBotStreaming: Operation = {
  id: 'tryBot',
  method: 'POST',
  path: '/api/bots/{bot_id}/playground',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'stream',
  accept: 'text/event-stream',
};

export const calendarCallback: Operation = {
  id: 'calendarCallback',
  method: 'GET',
  path: '/api/calendar/{provider}/callback',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: '*/*',
  redirects: true,
};

export const connectCalendar: Operation = {
  id: 'connectCalendar',
  method: 'POST',
  path: '/api/calendar/{provider}/connect',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const disconnectCalendar: Operation = {
  id: 'disconnectCalendar',
  method: 'DELETE',
  path: '/api/calendar/connection',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getCalendarConnection: Operation = {
  id: 'getCalendarConnection',
  method: 'GET',
  path: '/api/calendar/connection',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listCalendars: Operation = {
  id: 'listCalendars',
  method: 'GET',
  path: '/api/calendar/calendars',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const cancelBooking: Operation = {
  id: 'cancelBooking',
  method: 'POST',
  path: '/api/bookings/{booking_id}/cancel',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const createBooking: Operation = {
  id: 'createBooking',
  method: 'POST',
  path: '/api/bookings',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listBookings: Operation = {
  id: 'listBookings',
  method: 'GET',
  path: '/api/bookings',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const getBooking: Operation = {
  id: 'getBooking',
  method: 'GET',
  path: '/api/bookings/{booking_id}',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listBookingSlots: Operation = {
  id: 'listBookingSlots',
  method: 'GET',
  path: '/api/bookings/slots',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const updateCalendarSettings: Operation = {
  id: 'updateCalendarSettings',
  method: 'PATCH',
  path: '/api/calendar/settings',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const createWidgetBooking: Operation = {
  id: 'createWidgetBooking',
  method: 'POST',
  path: '/api/public/sessions/{session_id}/bookings',
  auth: 'visitor',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listWidgetSlots: Operation = {
  id: 'listWidgetSlots',
  method: 'GET',
  path: '/api/public/bots/{public_key}/slots',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const getBotVersion: Operation = {
  id: 'getBotVersion',
  method: 'GET',
  path: '/api/bots/{bot_id}/versions/{version}',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listBotVersions: Operation = {
  id: 'listBotVersions',
  method: 'GET',
  path: '/api/bots/{bot_id}/versions',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const saveBotVersion: Operation = {
  id: 'saveBotVersion',
  method: 'POST',
  path: '/api/bots/{bot_id}/versions',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const restoreBotVersion: Operation = {
  id: 'restoreBotVersion',
  method: 'POST',
  path: '/api/bots/{bot_id}/versions/{version}/restore',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getPublicAsset: Operation = {
  id: 'getPublicAsset',
  method: 'GET',
  path: '/api/public/assets/{asset_id}',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'transfer',
  accept: '*/*',
  isFile: true,
};

export const endWidgetSession: Operation = {
  id: 'endWidgetSession',
  method: 'POST',
  path: '/api/public/sessions/{session_id}/end',
  auth: 'visitor',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getWidgetConfig: Operation = {
  id: 'getWidgetConfig',
  method: 'GET',
  path: '/api/public/bots/{public_key}/config',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const getWidgetSession: Operation = {
  id: 'getWidgetSession',
  method: 'GET',
  path: '/api/public/sessions/{session_id}',
  auth: 'visitor',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listWidgetMessages: Operation = {
  id: 'listWidgetMessages',
  method: 'GET',
  path: '/api/public/sessions/{session_id}/messages',
  auth: 'visitor',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const sendWidgetMessage: Operation = {
  id: 'sendWidgetMessage',
  method: 'POST',
  path: '/api/public/sessions/{session_id}/messages',
  auth: 'visitor',
  takesIdempotencyKey: true,
  patience: 'generation',
  accept: 'application/json',
};

export const rateWidgetSession: Operation = {
  id: 'rateWidgetSession',
  method: 'POST',
  path: '/api/public/sessions/{session_id}/rating',
  auth: 'visitor',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const requestWidgetHandoff: Operation = {
  id: 'requestWidgetHandoff',
  method: 'POST',
  path: '/api/public/sessions/{session_id}/handoff',
  auth: 'visitor',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const setWidgetConsent: Operation = {
  id: 'setWidgetConsent',
  method: 'POST',
  path: '/api/public/sessions/{session_id}/consent',
  auth: 'visitor',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const startWidgetSession: Operation = {
  id: 'startWidgetSession',
  method: 'POST',
  path: '/api/public/bots/{public_key}/sessions',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const streamWidgetMessage: Operation = {
  id: 'streamWidgetMessage',
  method: 'POST',
  path: '/api/public/sessions/{session_id}/messages/stream',
  auth: 'visitor',
  takesIdempotencyKey: true,
  patience: 'stream',
  accept: 'text/event-stream',
};

export const submitWidgetLead: Operation = {
  id: 'submitWidgetLead',
  method: 'POST',
  path: '/api/public/sessions/{session_id}/lead',
  auth: 'visitor',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const streamWidgetEvents: Operation = {
  id: 'streamWidgetEvents',
  method: 'GET',
  path: '/api/public/sessions/{session_id}/events',
  auth: 'visitor',
  takesIdempotencyKey: false,
  patience: 'stream',
  accept: 'text/event-stream',
};

export const getBotDirectory: Operation = {
  id: 'getBotDirectory',
  method: 'GET',
  path: '/api/bots/{bot_id}/directory',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const replaceBotDirectory: Operation = {
  id: 'replaceBotDirectory',
  method: 'PUT',
  path: '/api/bots/{bot_id}/directory',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const resolveWidgetDirectory: Operation = {
  id: 'resolveWidgetDirectory',
  method: 'POST',
  path: '/api/public/bots/{public_key}/directory/resolve',
  auth: 'visitorIfAny',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const createDocument: Operation = {
  id: 'createDocument',
  method: 'POST',
  path: '/api/bots/{bot_id}/knowledge',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listDocuments: Operation = {
  id: 'listDocuments',
  method: 'GET',
  path: '/api/bots/{bot_id}/knowledge',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const deleteDocument: Operation = {
  id: 'deleteDocument',
  method: 'DELETE',
  path: '/api/bots/{bot_id}/knowledge/{document_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getDocument: Operation = {
  id: 'getDocument',
  method: 'GET',
  path: '/api/bots/{bot_id}/knowledge/{document_id}',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const updateDocument: Operation = {
  id: 'updateDocument',
  method: 'PATCH',
  path: '/api/bots/{bot_id}/knowledge/{document_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const downloadSignedFile: Operation = {
  id: 'downloadSignedFile',
  method: 'GET',
  path: '/api/files/{token}',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'transfer',
  accept: '*/*',
  isFile: true,
};

export const getDocumentDownload: Operation = {
  id: 'getDocumentDownload',
  method: 'GET',
  path: '/api/bots/{bot_id}/knowledge/{document_id}/download',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const getDocumentStatus: Operation = {
  id: 'getDocumentStatus',
  method: 'GET',
  path: '/api/bots/{bot_id}/knowledge/{document_id}/status',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const reindexDocument: Operation = {
  id: 'reindexDocument',
  method: 'POST',
  path: '/api/bots/{bot_id}/knowledge/{document_id}/reindex',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const uploadDocument: Operation = {
  id: 'uploadDocument',
  method: 'POST',
  path: '/api/bots/{bot_id}/knowledge/upload',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'transfer',
  accept: 'application/json',
};

export const searchKnowledge: Operation = {
  id: 'searchKnowledge',
  method: 'POST',
  path: '/api/bots/{bot_id}/knowledge/search',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const bulkUpdateConversations: Operation = {
  id: 'bulkUpdateConversations',
  method: 'POST',
  path: '/api/conversations/bulk',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const deleteConversation: Operation = {
  id: 'deleteConversation',
  method: 'DELETE',
  path: '/api/conversations/{conversation_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getConversation: Operation = {
  id: 'getConversation',
  method: 'GET',
  path: '/api/conversations/{conversation_id}',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const extractConversationFields: Operation = {
  id: 'extractConversationFields',
  method: 'POST',
  path: '/api/conversations/{conversation_id}/extract',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listConversationMessages: Operation = {
  id: 'listConversationMessages',
  method: 'GET',
  path: '/api/conversations/{conversation_id}/messages',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listConversations: Operation = {
  id: 'listConversations',
  method: 'GET',
  path: '/api/conversations',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const reopenConversation: Operation = {
  id: 'reopenConversation',
  method: 'POST',
  path: '/api/conversations/{conversation_id}/reopen',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const resolveConversation: Operation = {
  id: 'resolveConversation',
  method: 'POST',
  path: '/api/conversations/{conversation_id}/resolve',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getConversationTranscript: Operation = {
  id: 'getConversationTranscript',
  method: 'GET',
  path: '/api/conversations/{conversation_id}/transcript',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: '*/*',
};

export const eraseContact: Operation = {
  id: 'eraseContact',
  method: 'POST',
  path: '/api/contacts/{contact_id}/erase',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const exportContacts: Operation = {
  id: 'exportContacts',
  method: 'GET',
  path: '/api/contacts/export',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'transfer',
  accept: '*/*',
};

export const getContact: Operation = {
  id: 'getContact',
  method: 'GET',
  path: '/api/contacts/{contact_id}',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const updateContact: Operation = {
  id: 'updateContact',
  method: 'PATCH',
  path: '/api/contacts/{contact_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listContacts: Operation = {
  id: 'listContacts',
  method: 'GET',
  path: '/api/contacts',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const assignInboxItem: Operation = {
  id: 'assignInboxItem',
  method: 'POST',
  path: '/api/inbox/{conversation_id}/assign',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const claimInboxItem: Operation = {
  id: 'claimInboxItem',
  method: 'POST',
  path: '/api/inbox/{conversation_id}/claim',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listInbox: Operation = {
  id: 'listInbox',
  method: 'GET',
  path: '/api/inbox',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const releaseInboxItem: Operation = {
  id: 'releaseInboxItem',
  method: 'POST',
  path: '/api/inbox/{conversation_id}/release',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const replyInboxItem: Operation = {
  id: 'replyInboxItem',
  method: 'POST',
  path: '/api/inbox/{conversation_id}/reply',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const streamInbox: Operation = {
  id: 'streamInbox',
  method: 'GET',
  path: '/api/inbox/stream',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'stream',
  accept: 'text/event-stream',
};

export const listTopQuestions: Operation = {
  id: 'listTopQuestions',
  method: 'GET',
  path: '/api/analytics/questions',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const getAnalyticsOverview: Operation = {
  id: 'getAnalyticsOverview',
  method: 'GET',
  path: '/api/analytics/overview',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const activateFlow: Operation = {
  id: 'activateFlow',
  method: 'POST',
  path: '/api/flows/{flow_id}/activate',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const createFlow: Operation = {
  id: 'createFlow',
  method: 'POST',
  path: '/api/flows',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listFlows: Operation = {
  id: 'listFlows',
  method: 'GET',
  path: '/api/flows',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const deactivateFlow: Operation = {
  id: 'deactivateFlow',
  method: 'POST',
  path: '/api/flows/{flow_id}/deactivate',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const deleteFlow: Operation = {
  id: 'deleteFlow',
  method: 'DELETE',
  path: '/api/flows/{flow_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getFlow: Operation = {
  id: 'getFlow',
  method: 'GET',
  path: '/api/flows/{flow_id}',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const saveFlow: Operation = {
  id: 'saveFlow',
  method: 'PUT',
  path: '/api/flows/{flow_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const testFlow: Operation = {
  id: 'testFlow',
  method: 'POST',
  path: '/api/flows/{flow_id}/run',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'generation',
  accept: 'application/json',
};

export const getUsage: Operation = {
  id: 'getUsage',
  method: 'GET',
  path: '/api/usage',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listDailyUsage: Operation = {
  id: 'listDailyUsage',
  method: 'GET',
  path: '/api/usage/daily',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listToolInvocations: Operation = {
  id: 'listToolInvocations',
  method: 'GET',
  path: '/api/tool-invocations',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const connectTelegram: Operation = {
  id: 'connectTelegram',
  method: 'POST',
  path: '/api/alerts/telegram/connect',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const connectWhatsapp: Operation = {
  id: 'connectWhatsapp',
  method: 'POST',
  path: '/api/alerts/whatsapp/connect',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const deleteAlertPolicy: Operation = {
  id: 'deleteAlertPolicy',
  method: 'DELETE',
  path: '/api/alerts/{policy_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const estimateAlertCost: Operation = {
  id: 'estimateAlertCost',
  method: 'POST',
  path: '/api/alerts/estimate',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const finishAlertVerification: Operation = {
  id: 'finishAlertVerification',
  method: 'POST',
  path: '/api/alerts/{policy_id}/verify',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listAlertPolicies: Operation = {
  id: 'listAlertPolicies',
  method: 'GET',
  path: '/api/alerts',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const saveAlertPolicy: Operation = {
  id: 'saveAlertPolicy',
  method: 'PUT',
  path: '/api/alerts',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const pollTelegram: Operation = {
  id: 'pollTelegram',
  method: 'POST',
  path: '/api/alerts/telegram/poll',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const pollWhatsapp: Operation = {
  id: 'pollWhatsapp',
  method: 'POST',
  path: '/api/alerts/whatsapp/poll',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const startAlertVerification: Operation = {
  id: 'startAlertVerification',
  method: 'POST',
  path: '/api/alerts/{policy_id}/verify/start',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const testAlertPolicy: Operation = {
  id: 'testAlertPolicy',
  method: 'POST',
  path: '/api/alerts/{policy_id}/test',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const exportArchive: Operation = {
  id: 'exportArchive',
  method: 'POST',
  path: '/api/archive/export',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'transfer',
  accept: 'application/json',
};

export const getArchiveDownload: Operation = {
  id: 'getArchiveDownload',
  method: 'GET',
  path: '/api/archive/jobs/{job_id}/download',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const getArchiveJob: Operation = {
  id: 'getArchiveJob',
  method: 'GET',
  path: '/api/archive/jobs/{job_id}',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const importArchive: Operation = {
  id: 'importArchive',
  method: 'POST',
  path: '/api/archive/import',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'transfer',
  accept: 'application/json',
};

export const listArchiveJobs: Operation = {
  id: 'listArchiveJobs',
  method: 'GET',
  path: '/api/archive/jobs',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const createWebhook: Operation = {
  id: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listWebhooks: Operation = {
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const deleteWebhook: Operation = {
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getWebhook: Operation = {
  id: 'getWebhook',
  method: 'GET',
  path: '/api/webhooks/{id}',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const updateWebhook: Operation = {
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listWebhookDeliveries: Operation = {
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/webhooks/deliveries',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listWebhookEvents: Operation = {
  id: 'listWebhookEvents',
  method: 'GET',
  path: '/api/webhooks/events',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const replaceWebhookEvents: Operation = {
  id: 'replaceWebhookEvents',
  method: 'PUT',
  path: '/api/webhooks/{id}/events',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const replayWebhookDelivery: Operation = {
  id: 'replayWebhookDelivery',
  method: 'POST',
  path: '/api/webhooks/deliveries/{delivery_id}/replay',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const rotateWebhookSecret: Operation = {
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/webhooks/{id}/rotate-secret',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const testWebhook: Operation = {
  id: 'testWebhook',
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const cancelSubscription: Operation = {
  id: 'cancelSubscription',
  method: 'POST',
  path: '/api/billing/subscription/cancel',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const createCheckout: Operation = {
  id: 'createCheckout',
  method: 'POST',
  path: '/api/billing/checkout',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const downloadReceipt: Operation = {
  id: 'downloadReceipt',
  method: 'GET',
  path: '/api/billing/receipts/{receipt_id}/download',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'transfer',
  accept: '*/*',
  isFile: true,
};

export const getBillingProfile: Operation = {
  id: 'getBillingProfile',
  method: 'GET',
  path: '/api/billing/profile',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const saveBillingProfile: Operation = {
  id: 'saveBillingProfile',
  method: 'PUT',
  path: '/api/billing/profile',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getSubscription: Operation = {
  id: 'getSubscription',
  method: 'GET',
  path: '/api/billing/subscription',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listPlans: Operation = {
  id: 'listPlans',
  method: 'GET',
  path: '/api/billing/plans',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listReceipts: Operation = {
  id: 'listReceipts',
  method: 'GET',
  path: '/api/billing/receipts',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const receiveBillingEvent: Operation = {
  id: 'receiveBillingEvent',
  method: 'POST',
  path: '/api/billing/provider-events',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getEncryption: Operation = {
  id: 'getEncryption',
  method: 'GET',
  path: '/api/encryption',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const setEncryption: Operation = {
  id: 'setEncryption',
  method: 'PUT',
  path: '/api/encryption',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const rotateEncryptionKey: Operation = {
  id: 'rotateEncryptionKey',
  method: 'POST',
  path: '/api/encryption/rotate',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const createChildOrg: Operation = {
  id: 'createChildOrg',
  method: 'POST',
  path: '/api/orgs/{org_id}/children',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const createOrg: Operation = {
  id: 'createOrg',
  method: 'POST',
  path: '/api/orgs',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listOrgs: Operation = {
  id: 'listOrgs',
  method: 'GET',
  path: '/api/orgs',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const deleteOrg: Operation = {
  id: 'deleteOrg',
  method: 'DELETE',
  path: '/api/orgs/{org_id}',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getOrg: Operation = {
  id: 'getOrg',
  method: 'GET',
  path: '/api/orgs/{org_id}',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const updateOrg: Operation = {
  id: 'updateOrg',
  method: 'PATCH',
  path: '/api/orgs/{org_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getOrgHierarchy: Operation = {
  id: 'getOrgHierarchy',
  method: 'GET',
  path: '/api/orgs/{org_id}/hierarchy',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listAuditEvents: Operation = {
  id: 'listAuditEvents',
  method: 'GET',
  path: '/api/orgs/{org_id}/audit-log',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listMembers: Operation = {
  id: 'listMembers',
  method: 'GET',
  path: '/api/orgs/{org_id}/members',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const removeMember: Operation = {
  id: 'removeMember',
  method: 'DELETE',
  path: '/api/orgs/{org_id}/members/{membership_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const setMemberRole: Operation = {
  id: 'setMemberRole',
  method: 'PUT',
  path: '/api/orgs/{org_id}/members/{membership_id}/role',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const transferOwnership: Operation = {
  id: 'transferOwnership',
  method: 'POST',
  path: '/api/orgs/{org_id}/transfer-ownership',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const acceptInvitation: Operation = {
  id: 'acceptInvitation',
  method: 'POST',
  path: '/api/invitations/accept',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const createInvitation: Operation = {
  id: 'createInvitation',
  method: 'POST',
  path: '/api/orgs/{org_id}/invitations',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listInvitations: Operation = {
  id: 'listInvitations',
  method: 'GET',
  path: '/api/orgs/{org_id}/invitations',
  auth: 'key',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const previewInvitation: Operation = {
  id: 'previewInvitation',
  method: 'GET',
  path: '/api/invitations/{token}',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const resendInvitation: Operation = {
  id: 'resendInvitation',
  method: 'POST',
  path: '/api/orgs/{org_id}/invitations/{invitation_id}/resend',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const revokeInvitation: Operation = {
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/api/orgs/{org_id}/invitations/{invitation_id}',
  auth: 'key',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const createApiKey: Operation = {
  id: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const listApiKeys: Operation = {
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/api-keys',
  auth: 'session',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const revokeApiKey: Operation = {
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/api-keys/{key_id}',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const rotateApiKey: Operation = {
  id: 'rotateApiKey',
  method: 'POST',
  path: '/api/api-keys/{key_id}/rotate',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getEmailPreferences: Operation = {
  id: 'getEmailPreferences',
  method: 'GET',
  path: '/api/email-preferences',
  auth: 'session',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const updateEmailPreferences: Operation = {
  id: 'updateEmailPreferences',
  method: 'PUT',
  path: '/api/email-preferences',
  auth: 'session',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const unsubscribe: Operation = {
  id: 'unsubscribe',
  method: 'POST',
  path: '/api/email-preferences/unsubscribe/{token}',
  auth: 'none',
  takesIdempotencyKey: true,
  patience: 'usual',
  accept: 'application/json',
};

export const getHealth: Operation = {
  id: 'getHealth',
  method: 'GET',
  path: '/api/health',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const getReadiness: Operation = {
  id: 'getReadiness',
  method: 'GET',
  path: '/api/health/ready',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const getMeta: Operation = {
  id: 'getMeta',
  method: 'GET',
  path: '/api/meta',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const listApiVersions: Operation = {
  id: 'listApiVersions',
  method: 'GET',
  path: '/api/meta/versions',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const getErrorPage: Operation = {
  id: 'getErrorPage',
  method: 'GET',
  path: '/errors/{code}',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};

export const getOpenApi: Operation = {
  id: 'getOpenApi',
  method: 'GET',
  path: '/openapi.json',
  auth: 'none',
  takesIdempotencyKey: false,
  patience: 'usual',
  accept: 'application/json',
};
